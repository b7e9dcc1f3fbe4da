// Interactions that wait, as many as one likes: one is brought about for real, in a conversation with the bot, and
// copied in the database.
import { ulid } from 'ulid';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { makeLog } from '../../../src/platform/log.ts';
import { migrations } from '../../../src/storage/migrations/index.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { openSide } from '../side.ts';
import type { BenchChannel } from './channel.ts';
import { type BenchService, tokenOf } from './service.ts';
import { makeUsers } from './user.ts';

export interface Place {
  /** For the embedded database. */
  readonly dataDir: string;
  /** Instead of it, a Postgres. */
  readonly databaseUrl?: string;
}

/** The settings of a bot whose state is there. */
export const settingsOf = ({ dataDir, databaseUrl }: Place) => ({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });

const words = ['payments', '+12025550147', '1'];
/** Rows of one statement; Postgres takes 65,535 parameters. */
const batch = 1000;

/**
 * Brings `count` interactions about that wait at the service and whose chats are on the channel, none of them held;
 * tells their requests.
 */
export const makeWaiting = async (place: Place, count: number, service: BenchService, channel: BenchChannel): Promise<string[]> => {
  const bot = await openSide('ours/bot.ts', { service: service.access, settings: settingsOf(place) });
  const users = makeUsers(bot.told.port as number, channel.serviceUrl);
  for (const text of words) await users.say('conversation-0', text);
  await users.close();
  await bot.close();

  const at = { file: `${place.dataDir}/bot.db`, url: place.databaseUrl, log: makeLog('warn') };
  const { db, close } = await openDatabase<Schema>(at, migrations);
  try {
    const interaction = await db.selectFrom('interaction').selectAll().executeTakeFirstOrThrow();
    const state = await db.selectFrom('bot_state').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: count }, (_, index) => ({
      id: ulid(),
      requestId: ulid(),
      conversation: `conversation-${index + 1}`,
    }));
    await db.transaction().execute(async (transaction) => {
      for (let begin = 0; begin < count; begin += batch) {
        const some = copies.slice(begin, begin + batch);
        /** The text with one conversation and interaction in the place of the other. */
        const renamed = (text: string, { id, conversation }: (typeof some)[0]) =>
          text.replaceAll('conversation-0', conversation).replaceAll(interaction.id, id);
        await transaction
          .insertInto('interaction')
          .values(
            some.map((copy) => ({
              ...interaction,
              id: copy.id,
              conversation: renamed(interaction.conversation, copy),
              address: renamed(interaction.address, copy),
              request_id: copy.requestId,
              ws_token: tokenOf(copy.requestId),
            })),
          )
          .execute();
        await transaction
          .insertInto('bot_state')
          .values(some.map((copy) => ({ ...state, key: renamed(state.key, copy), value: renamed(state.value, copy) })))
          .execute();
      }
      await transaction.deleteFrom('interaction').where('id', '=', interaction.id).execute();
    });
    return copies.map(({ requestId }) => requestId);
  } finally {
    await close();
  }
};
