// A dialog as the SDK's samples write it: five turns of a waterfall, state in memory, a card with every question.
import {
  ActivityTypes,
  CardFactory,
  CloudAdapter,
  ConfigurationBotFrameworkAuthentication,
  ConversationState,
  MemoryStorage,
  MessageFactory,
  type TurnContext,
} from 'botbuilder';
import { ChoicePrompt, ConfirmPrompt, DialogSet, DialogTurnStatus, TextPrompt, WaterfallDialog } from 'botbuilder-dialogs';
import restify from 'restify';
import type { Opened } from '../side-process.ts';

const card = (title: string, facts: readonly (readonly [string, string])[], ...buttons: string[]) => ({
  ...MessageFactory.attachment(
    CardFactory.adaptiveCard({
      type: 'AdaptiveCard',
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      version: '1.2',
      body: [
        { type: 'TextBlock', text: title, weight: 'Bolder', wrap: true },
        { type: 'FactSet', facts: facts.map(([name, value]) => ({ title: name, value })) },
      ],
      actions: buttons.map((text) => ({ type: 'Action.Submit', title: text, data: { choice: text } })),
    }),
    title,
  ),
});

const dialogs = (state: ConversationState) =>
  new DialogSet(state.createProperty('dialogs'))
    .add(new TextPrompt('text'))
    .add(new ChoicePrompt('choice'))
    .add(new ConfirmPrompt('confirm'))
    .add(
      new WaterfallDialog('pay', [
        (step) => step.prompt('text', { prompt: card('What is your phone number?', [['For', 'payments']], 'Cancel') }),
        (step) => {
          Object.assign(step.values, { phone: step.result });
          return step.prompt('confirm', { prompt: card('Are you Jane?', [['Number', String(step.result)]], 'Yes', 'No') });
        },
        (step) =>
          step.prompt('choice', { prompt: card('What do you want to pay?', [['1', 'Invoice']], 'Invoice'), choices: ['Invoice', 'Gift'] }),
        (step) => {
          Object.assign(step.values, { product: step.result.value });
          const { phone, product } = step.values as Record<string, string>;
          return step.prompt('confirm', {
            prompt: card(
              'Send it?',
              [
                ['To', phone ?? ''],
                ['What', product ?? ''],
              ],
              'Send',
              'Cancel',
            ),
          });
        },
        async (step) => {
          await step.context.sendActivity(card('It is on its way.', [], 'Menu'));
          return step.endDialog();
        },
      ]),
    );

/** What such a bot does in a turn. */
export const makeWaterfall = () => {
  const state = new ConversationState(new MemoryStorage());
  const set = dialogs(state);
  return async (context: TurnContext) => {
    if (context.activity.type !== ActivityTypes.Message) return;
    const dialog = await set.createContext(context);
    const { status } = await dialog.continueDialog();
    if (status === DialogTurnStatus.empty) await dialog.beginDialog('pay');
    await state.saveChanges(context);
  };
};

export const open = async (): Promise<Opened> => {
  const adapter = new CloudAdapter(new ConfigurationBotFrameworkAuthentication({}));
  const logic = makeWaterfall();
  const server = restify.createServer();
  server.use(restify.plugins.bodyParser());
  server.post('/api/messages', async (req: restify.Request, res: restify.Response) => {
    await adapter.process(req as never, res as never, logic);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { told: { port: server.address().port }, close: () => server.close() };
};
