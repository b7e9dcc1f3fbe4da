// The SDK's `Storage` over the bot's own rows: for flows of one's own that keep state with ConversationState or UserState.
import type { BotStateStore } from '../storage/index.ts';
import type { Storage, StoreItems } from './sdk.ts';

/**
 * State of the SDK in the same database as the bot's, with real eTags (learn.microsoft.com, "Write directly to storage"): an item without one must
 * not exist yet, one that was read is written only if it is still as it was, and `*` overwrites. Either all changes are made or none.
 *
 * `BotState.saveChanges` of the SDK always writes `*`, so the last writer wins there: it belongs into turns that run one after the other, as the
 * bot's do. The bot's own turns do not go through here, since they keep their answer in the same step as their state.
 *
 * @throws {StateConflict} from `write`, when something is not as it was read.
 */
export const makeSdkStorage = (store: BotStateStore): Storage => ({
  read: async (keys) => {
    const items = await store.read(keys);
    return Object.fromEntries(Object.entries(items).map(([key, { json, etag }]) => [key, { ...JSON.parse(json), eTag: etag }]));
  },

  write: (changes: StoreItems) =>
    store.write(
      Object.fromEntries(
        Object.entries(changes).map(([key, { eTag: etag, ...value }]) => [
          key,
          { json: JSON.stringify(value), ...(etag !== undefined && { etag }) },
        ]),
      ),
    ),

  delete: (keys) => store.delete(keys),
});
