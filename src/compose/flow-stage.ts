// Where flows are tried without anybody: the real dialogs, interactions and client, the reference service in the same process, a customer who says what a
// script tells, a device that does what it tells, and a clock that only the script moves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoForms, type Flows, makeConversation } from '../../dialogs/index.ts';
import { chatOf, makeRunTurn, makeTurnLock, turnKey } from '../bot/index.ts';
import { type FlowEvent, type LoadedFlows, makeFlows, makeVersions, type Stage, StageFault, type StageOptions } from '../flows/index.ts';
import type { Interaction, News } from '../interactions/index.ts';
import { ownServiceUrl } from '../platform/channels.ts';
import { makeLog } from '../platform/log.ts';
import { servicesOf } from './bot-services.ts';
import { openConnection } from './connection.ts';
import { limitsFor } from './limits.ts';
import { type Activity, type BotAdapter, TurnContext } from './sdk.ts';
import { loadService } from './service.ts';
import { standStill } from './still-time.ts';

/** A customer of the demo account who has a passkey, and whom the channel vouches for. */
const usualCaller = '+12025550102';

/** What begins the flow itself, with inputs. No customer could type it. */
const directly = '\u{E000}';

// biome-ignore lint/suspicious/noExplicitAny: what the bot sends, and keeps, is looked at as a channel and a store see it.
type Seen = any;

/** Opens it at the menu. Only one at a time: time stands still for the whole process. */
export const openStage = async (
  loaded: LoadedFlows,
  flow: string,
  { caller = usualCaller, language = 'en', inputs = {}, observe }: StageOptions,
): Promise<Stage> => {
  const { startService } = await loadService();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-flow-'));
  const time = standStill();
  const log = makeLog('silent');
  const codes = new Map<string, string>();
  const delivery = {
    deliver: async ({ requestId, code }: { readonly requestId: string; readonly code?: string | undefined }) => {
      if (code !== undefined) codes.set(requestId, code);
      return { accepted: true } as const;
    },
  };
  const service = await time.whileIt(startService({ port: 0, host: '127.0.0.1', dataDir: folder, demo: true, delivery, log }));
  const { baseUrl, secretKey, wsUrl } = service;
  const connection = await openConnection({
    service: { baseUrl, secretKey, wsUrl, idempotent: true, showsCode: true },
    storage: { folder: join(folder, 'bot') },
    log,
  });
  const messages: string[] = [];
  let ended: FlowEvent['ended'];
  const flows = makeFlows({
    current: () => loaded,
    versions: makeVersions(connection.storage.flowVersions),
    observe: (event) => {
      if (event.ended !== undefined) ended = event.ended;
      observe?.(event);
    },
  });
  const begun: Flows = {
    ...flows,
    wishIn: (hearing, typed) => (typed === directly ? { flow, words: '', inputs, length: Number.MAX_VALUE } : flows.wishIn(hearing, typed)),
  };
  const { lookups: lookupRate } = limitsFor({});
  const services = servicesOf(
    { service: { showsCode: true }, forms: demoForms, handoff: { escalate: async () => 'requested' }, lookupReplies: 'offer' },
    connection,
    { flows: begun, chatOf, callerNumber: async () => caller, lookupRate, admitLookup: async () => true, saysLinks: false },
  );
  const runTurn = makeRunTurn(connection.storage.botState, makeConversation(services));
  const lock = makeTurnLock();
  const base = {
    channelId: 'directline',
    serviceUrl: ownServiceUrl,
    conversation: { id: 'flow' },
    from: { id: 'customer', name: '' },
    recipient: { id: 'bot', name: '' },
    locale: language,
  };
  let turns = 0;
  const adapter = {
    sendActivities: async (_context: TurnContext, activities: Seen[]) => {
      for (const { type, text, speak, channelData } of activities)
        if (type === 'message') messages.push(text ?? channelData?.['webchat:fallback-text'] ?? speak ?? '');
      return activities.map(() => ({ id: `a${messages.length}` }));
    },
    updateActivity: async () => {},
    deleteActivity: async () => {},
  };
  const turn = (activity: Seen, news?: News) =>
    lock.run(turnKey(base as Activity), async () => {
      turns += 1;
      const context = new TurnContext(adapter as unknown as BotAdapter, { ...base, id: `t${turns}`, ...activity } as Activity);
      await runTurn(context, news);
    });
  const tell = (kind: News['kind']) => async (interaction: Interaction) => turn({ type: 'event' }, { kind, interaction });
  await connection.open({ outcome: tell('outcome'), progress: tell('progress') });

  const innermost = async (): Promise<{ readonly id: string; readonly state: Seen } | undefined> => {
    const key = turnKey(base as Activity);
    const { [key]: kept } = await connection.storage.botState.read([key]);
    let at = JSON.parse(kept?.json ?? '{}').dialogs?.dialogStack?.at(-1);
    while (at?.state?.dialogs) at = at.state.dialogs.dialogStack.at(-1);
    return at;
  };
  /** Whatever the turn that runs still does. */
  const turnOver = () => time.whileIt(lock.run(turnKey(base as Activity), async () => {}));
  const say = (text: string) => time.whileIt(turn({ type: 'message', text }));
  const press = (state: Seen, index: number, fields: object = {}) => {
    const [action] = Object.entries(state.actions).find(([, at]) => at === index) ?? [];
    return time.whileIt(turn({ type: 'message', value: { action, ...fields } }));
  };

  /** Answers what comes before the app is used; answers the request that waits then. */
  const reach = async (app: string): Promise<{ readonly state: Seen; readonly interaction: Interaction }> => {
    for (let tries = 0; tries < 12; tries += 1) {
      const open = await innermost();
      if (!open || open.id === 'menu') throw new StageFault(`nothing waits for ${app}: the flow has ended`);
      const { id, state } = open;
      if (id === 'wait') {
        const interaction = (await connection.interactions.get(state.interactionId)) as Interaction;
        if (interaction.app !== app) throw new StageFault(`the flow waits for ${interaction.app}, not for ${app}`);
        return { state, interaction };
      }
      if (id === 'ask' || id === 'ask-words') throw new StageFault(`the flow asks something before ${app}: ${messages.at(-1)}`);
      if (id === 'phone') await say(caller);
      else
        await press(
          state,
          Math.max(
            0,
            (state.choices as Seen[]).findIndex(({ value }) => value === 'send'),
          ),
          id === 'variables' ? sampleOf(state) : {},
        );
    }
    throw new StageFault(`${app} was not reached: the bot says ${messages.at(-1)}`);
  };

  return {
    messages,
    ended: () => ended,
    begin: () => say(directly),
    say,
    device: async (app, outcome) => {
      const { state, interaction } = await reach(app);
      const { requestId = '' } = interaction;
      await time.whileIt(service.settled());
      if (outcome === 'cancelled') await time.whileIt(turn({ type: 'message', value: { action: state.actions.cancel } }));
      else if (outcome === 'success' && app === 'one-time-passcode') await say(codes.get(requestId) ?? '');
      else await time.whileIt(service.end(requestId, outcome));
      const isTold = async () => (await connection.interactions.get(interaction.id))?.delivered === true;
      if (!(await time.until(isTold))) throw new StageFault(`the chat was not told that ${app} ended in ${outcome}`);
      await turnOver();
    },
    advance: async (ms) => {
      await time.advance(ms);
      await turnOver();
    },
    close: async () => {
      await time.whileIt(connection.close());
      await time.whileIt(service.close());
      time.restore();
      rmSync(folder, { recursive: true });
    },
  };
};

/** Values that fill in any document. */
const sampleOf = ({ options }: Seen): Record<string, string> => {
  const { found, chosen } = options;
  const samples: Readonly<Record<string, string>> = { number: '12', currency: '100', date: '2026-12-05', boolean: 'true' };
  const variables: Seen[] = found.documents.find(({ id }: Seen) => id === chosen)?.variables ?? [];
  return Object.fromEntries(variables.map(({ name, type, choices }) => [`variable:${name}`, choices?.[0] ?? samples[type] ?? 'Sample']));
};
