// The world around a bot under test: the real interactions and client, the reference service in the same process, a
// customer and a device that follow a script, and a clock that only the script moves. Nothing is a mock, so the tests of
// flows and of dialogs run what production runs. Timers belong to the process, so there is one stage at a time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, openConnection } from '../../compose/bot/connection.ts';
import type { ConnectionOptions } from '../../compose/bot/core-options.ts';
import type { Activity } from '../../compose/bot/sdk.ts';
import { loadService } from '../../compose/installed-service.ts';
import type { Interaction, Notify } from '../../interactions/index.ts';
import { makeLog } from '../../platform/log.ts';
import { flowTables } from '../versions/flow-versions.ts';
import { type Stage, StageFault } from './stage.ts';
import { standStill } from './still-time.ts';

/** A customer of the demo account who has a passkey, and whom the channel vouches for. */
export const usualCaller = '+12025550102';

// biome-ignore lint/suspicious/noExplicitAny: what the bot sends, and keeps, is looked at as a channel and a store see it.
export type Seen = any;

/** What the bot and the script share. */
export interface World {
  readonly connection: Connection;
  /** The service and the place of storage, as bots get them. */
  readonly options: Pick<ConnectionOptions, 'service' | 'storage'>;
  /** The sender of the service's messages. */
  readonly sender: string | undefined;
  /** What the bot has said so far, as it would be read out. */
  readonly messages: string[];
  /** Takes the bot's activities; returns their ids. */
  take(activities: readonly Seen[]): { id: string }[];
}

/** A bot on the stage. */
export interface StageBot {
  readonly notify: Notify;
  /** Runs a turn with this activity of the customer. */
  turn(activity: Seen): Promise<void>;
  /** The stack of dialogs as stored. */
  stack(): Promise<Seen>;
  /** Resolves once no turn is running. */
  idle(): Promise<unknown>;
  /** Values of the flow that do not fit: names that are not asked for, and values that the service refused. */
  unfit?(stack: Seen): { readonly unknown: readonly string[]; readonly refused: readonly string[] };
  close?(): Promise<void>;
}

/** The fields of every activity of the customer. */
export const customerIn = (language: string): Partial<Activity> => ({
  conversation: { id: 'flow' } as Activity['conversation'],
  from: { id: 'customer', name: '' },
  recipient: { id: 'bot', name: '' },
  locale: language,
});

/**
 * Sets the stage for a bot, and returns what the script can do; `turn` lets the bot receive an activity. Only one at a
 * time: time stands still for the whole process.
 */
export const openWorld = async (caller: string, catalogue: string | undefined, makeBot: (world: World) => Promise<StageBot>) => {
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
  const options = {
    port: 0,
    host: '127.0.0.1',
    dataDir: folder,
    demo: true,
    catalogueFile: catalogue,
    withoutSecrets: true,
    delivery,
    log,
  };
  const running = await time.whileIt(startService(options)).catch((fault: unknown) => {
    time.restore();
    rmSync(folder, { recursive: true });
    throw fault;
  });
  const { baseUrl, secretKey, wsUrl } = running;
  const given = {
    service: { baseUrl, secretKey, wsUrl, idempotent: true, showsCode: true },
    storage: { folder: join(folder, 'bot') },
  };
  const connection = await openConnection({ ...given, log }, [flowTables]);
  const messages: string[] = [];
  const take = (activities: readonly Seen[]) => {
    for (const { type, text, speak, channelData } of activities)
      if (type === 'message') messages.push(text ?? channelData?.['webchat:fallback-text'] ?? speak ?? '');
    return activities.map(() => ({ id: `a${messages.length}` }));
  };
  const bot = await time.whileIt(makeBot({ connection, options: given, sender: running.theme.name, messages, take }));
  await connection.open(bot.notify);

  const innermost = async () => innermostOf(await bot.stack());
  /** A customer could not correct a name that the document does not have. */
  const fits = async (asks: readonly ('refused' | 'unknown')[]) => {
    const unfit = bot.unfit?.(await bot.stack());
    const wrong = asks.flatMap((why) => unfit?.[why] ?? []);
    if (wrong.length > 0) throw new StageFault(wrong.join('\n'));
  };
  /** Resolves when the current turn has done everything. */
  const turnOver = () => time.whileIt(bot.idle());
  const turn = (activity: Seen) => time.whileIt(bot.turn(activity));
  const say = async (text: string) => {
    await fits(['unknown']);
    await turn({ type: 'message', text });
  };
  const press = (state: Seen, index: number, fields: object = {}) => {
    return turn({ type: 'message', value: { action: state.actions[index], ...fields } });
  };

  /** Answers the questions before the app is used; returns the request that is then waiting. */
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
      await fits(['unknown', 'refused']);
      if (id === 'phone') await say(caller);
      else if (id === 'ask' || id === 'ask-words' || !state.actions)
        throw new StageFault(`the flow asks something before ${app}: ${messages.at(-1)}`);
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

  const acting: Pick<Stage, 'advance' | 'close' | 'device' | 'messages' | 'say'> = {
    messages,
    say,
    device: async (app, outcome) => {
      const { state, interaction } = await reach(app);
      const { requestId = '' } = interaction;
      await time.whileIt(running.settled());
      if (outcome === 'cancelled') await turn({ type: 'message', value: { action: state.actions.cancel } });
      else if (outcome === 'success' && app === 'one-time-passcode') await say(codes.get(requestId) ?? '');
      else await time.whileIt(running.end(requestId, outcome));
      const isDelivered = async () => (await connection.interactions.get(interaction.id))?.delivered === true;
      if (!(await time.until(isDelivered))) throw new StageFault(`the chat was not told that ${app} ended in ${outcome}`);
      await turnOver();
    },
    advance: async (ms) => {
      await time.advance(ms);
      await turnOver();
    },
    close: async () => {
      await time.whileIt(Promise.resolve(bot.close?.()));
      await time.whileIt(connection.close());
      await time.whileIt(running.close());
      time.restore();
      rmSync(folder, { recursive: true });
    },
  };
  return { ...acting, turn };
};

/** The innermost waiting dialog. */
export const innermostOf = (stack: Seen): { readonly id: string; readonly state: Seen } | undefined => {
  let at = stack?.dialogStack?.at(-1);
  while (at?.state?.dialogs) at = at.state.dialogs.dialogStack.at(-1);
  return at;
};

/** Values that fill in any document. */
const sampleOf = ({ options }: Seen): Record<string, string> => {
  const { found, chosen } = options;
  const samples: Readonly<Record<string, string>> = { number: '12', currency: '100', date: '2026-12-05', boolean: 'true' };
  const variables: Seen[] = found.documents.find(({ id }: Seen) => id === chosen)?.variables ?? [];
  return Object.fromEntries(variables.map(({ name, type, choices }) => [`variable:${name}`, choices?.[0] ?? samples[type] ?? 'Sample']));
};
