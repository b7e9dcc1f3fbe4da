// A bot that is not ours: its own adapter, state and dialogs. It takes orders, and has them paid.

import { CloudAdapter, ConfigurationBotFrameworkAuthentication, ConversationState, MemoryStorage, type TurnContext } from 'botbuilder';
import { DialogSet, DialogTurnStatus, TextPrompt, WaterfallDialog } from 'botbuilder-dialogs';
import { createDialogs, type GuestOptions, type GuestOutcome } from 'countersign/dialogs';
import restify from 'restify';

const { SERVICE_BASE_URL: baseUrl = '', SERVICE_SECRET_KEY: secretKey = '', DATA_DIR: folder = '.data' } = process.env;
const adapter = new CloudAdapter(new ConfigurationBotFrameworkAuthentication({}));
const conversationState = new ConversationState(new MemoryStorage());
const dialogs = new DialogSet(conversationState.createProperty('dialogs'));

/** Runs the dialogs: for what a customer writes, and for an outcome that arrives. */
const run = async (context: TurnContext) => {
  const dc = await dialogs.createContext(context);
  const { status } = await dc.continueDialog();
  if (status === DialogTurnStatus.empty && context.activity.type === 'message') await dc.beginDialog('order');
  await conversationState.saveChanges(context);
};

const apps = createDialogs({
  adapter,
  appId: '',
  conversationState,
  resume: run,
  service: { baseUrl, secretKey },
  storage: { folder },
});
for (const app of Object.values(apps.dialogs)) dialogs.add(app);
dialogs.add(new TextPrompt('what'));
dialogs.add(
  new WaterfallDialog('order', [
    (step) => step.prompt('what', 'What would you like to order?'),
    (step) => {
      const options: GuestOptions['payments'] = { phoneNumber: '+12025550110', productId: 'energy-bill-november' };
      return step.beginDialog('payments', options);
    },
    async (step) => {
      const outcome = step.result as GuestOutcome;
      const paid = outcome.status === 'success' && outcome.result?.app === 'payments' ? outcome.result.amount : undefined;
      await step.context.sendActivity(paid === undefined ? `Your order is not paid: ${outcome.status}.` : `Your order is paid: ${paid}.`);
      return step.endDialog();
    },
  ]),
);
await apps.start();

const server = restify.createServer();
server.use(restify.plugins.bodyParser());
server.post('/api/messages', async (req, res) => adapter.process(req, res, run));
server.listen(Number(process.env.PORT ?? 3978), '127.0.0.1', () => console.log(`Listening at ${server.url}`));
process.once('SIGTERM', async () => {
  await new Promise<void>((resolve) => server.close(resolve));
  await apps.stop();
});
