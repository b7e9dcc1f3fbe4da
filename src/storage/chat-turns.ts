// What turns of our own Direct Line write, gathered: what the bot says and changes in the chat, its state, and that the
// customer's activity has had its turn are one transaction, so that a crash leaves all of a turn or nothing.
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database.ts';
import { type ChangedActivity, changeAt, growChat, insertAt, type NewActivity } from './chat-rows.ts';
import type { ChatStatements } from './chat-statements.ts';
import type { Chat, GatheredTurn, GatherOptions, OwnDelivery, PlacedActivity, StoredPart } from './chat-store.ts';
import type { Schema } from './schema.ts';

type Write = (transaction: Kysely<Schema>) => Promise<void>;

/** The chat was removed while a turn ran in it. */
class ChatGone extends Error {
  override readonly name = 'ChatGone';
  readonly code = 'chat_gone';
}

/** A turn that speaks is shown after this long (ms), even if it still runs. */
const longestSilence = 150;

/** A turn that runs. */
export class ChatTurn {
  readonly chat: Chat;
  readonly activityId: string;
  readonly again: boolean;
  readonly begins: boolean;
  settled = false;
  readonly #database: Database<Schema>;
  readonly #statements: ChatStatements;
  readonly #onStored: GatherOptions['onStored'];
  #said: NewActivity[] = [];
  #changed = new Map<string, ChangedActivity>();
  /** What is being stored. */
  #storing: ReadonlySet<string> = new Set();
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database<Schema>, statements: ChatStatements, options: GatherOptions) {
    const { chat, activityId, again, begins = false, onStored } = options;
    this.chat = chat;
    this.activityId = activityId;
    this.again = again;
    this.begins = begins;
    this.#database = database;
    this.#statements = statements;
    this.#onStored = onStored;
  }

  /** Whether an activity under this key may have been stored before the turn. */
  mayRepeat(dedupeKey: string): boolean {
    return this.again || !dedupeKey.includes(this.activityId);
  }

  said(dedupeKey: string): NewActivity | undefined {
    return this.#said.find((one) => one.dedupeKey === dedupeKey);
  }

  add(said: NewActivity): void {
    this.#said.push(said);
    this.#timer ??= setTimeout(() => {
      // It is written with the rest otherwise, whose fault is told.
      this.flush().catch(() => {});
    }, longestSilence);
  }

  /** What an activity is changed to. */
  change(changed: ChangedActivity): void {
    this.#changed.set(changed.activityId, changed);
  }

  /** Whether it is among what is not stored yet. */
  holds(activityId: string): boolean {
    return this.#changed.has(activityId) || this.#storing.has(activityId) || this.#said.some((one) => one.activityId === activityId);
  }

  /** Writes what was gathered so far. */
  flush(): Promise<void> {
    return this.#write();
  }

  /** Writes what was gathered and something else, and that the activity has had its turn. */
  async settle(own: Write): Promise<void> {
    await this.#write(async (transaction) => {
      await own(transaction);
      const chatId = this.chat.id;
      if (this.begins) await this.#statements.start(transaction, { chatId });
      else await this.#statements.settle(transaction, { chatId, activityId: this.activityId });
    });
    this.settled = true;
  }

  /** One write after the other, so that everything is stored in the order in which it was said. */
  #write(own?: Write): Promise<void> {
    const done = this.#last.then(() => this.#writeNow(own));
    this.#last = done.catch(() => {});
    return done;
  }

  async #writeNow(own?: Write): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const said = this.#said;
    const changed = [...this.#changed.values()];
    if (said.length + changed.length === 0 && !own) return;
    this.#said = [];
    this.#changed.clear();
    this.#storing = new Set([...said, ...changed].map(({ activityId }) => activityId));
    let stored: StoredPart | undefined;
    try {
      stored = await this.#database.db.transaction().execute(async (transaction) => {
        const part = await this.#store(transaction, said, changed);
        await own?.(transaction);
        return part;
      });
    } catch (fault) {
      // What was said stays said. A card is changed only together with the state that made it old.
      this.#said = [...said, ...this.#said];
      throw fault;
    } finally {
      this.#storing = new Set();
    }
    if (stored) this.#onStored(stored);
  }

  async #store(
    transaction: Kysely<Schema>,
    said: readonly NewActivity[],
    changed: readonly ChangedActivity[],
  ): Promise<StoredPart | undefined> {
    const count = said.length + changed.length;
    if (count === 0) return undefined;
    const bytes = said.reduce((sum, { packed }) => sum + packed.size, 0);
    const chat = await growChat(this.#statements, transaction, { chatId: this.chat.id, bytes, count });
    if (!chat) throw new ChatGone();
    const { number: chatNumber, watermark } = chat;
    const since = watermark - count;
    const activities: PlacedActivity[] = [];
    let revision = since;
    for (const one of said) {
      revision += 1;
      // Somebody else has said it, to whom the conversation belonged meanwhile: then it is there already.
      if (await insertAt(this.#statements, transaction, { chatNumber, revision }, one))
        activities.push({ position: revision, activity: one.activity });
    }
    for (const one of changed) {
      revision += 1;
      if (await changeAt(this.#statements, transaction, { chatNumber, revision }, one))
        activities.push({ position: one.position, activity: one.activity });
    }
    return { since, watermark, activities: activities.sort((one, other) => one.position - other.position) };
  }
}

/** The turns whose writes are gathered. */
export interface ChatTurns {
  gather(options: GatherOptions): GatheredTurn;
  /**
   * The delivery's turn begins, under its lock. `new`: it was never begun before; `settled`: it has had its turn
   * meanwhile.
   */
  begin(delivery: OwnDelivery): Promise<'new' | 'settled' | undefined>;
  of(delivery: OwnDelivery): ChatTurn | undefined;
  /** The delivery's turn is over. */
  end(delivery: OwnDelivery): Promise<void>;
  /** The turn that runs in the chat. */
  in(chatId: string): ChatTurn | undefined;
}

export const makeChatTurns = (database: Database<Schema>, statements: ChatStatements): ChatTurns => {
  /** By chat and activity; those that wait for the lock, too. */
  const turns = new Map<string, ChatTurn>();
  const running = new Map<string, ChatTurn>();
  const nameOf = (chatId: string, activityId: string) => `${chatId} ${activityId}`;
  const of = ({ own }: OwnDelivery) => own && turns.get(nameOf(own.chatId, own.activityId));

  const end = async (turn: ChatTurn) => {
    try {
      await turn.flush();
    } finally {
      if (running.get(turn.chat.id) === turn) running.delete(turn.chat.id);
    }
    // What was gathered while the rest was stored.
    await turn.flush();
  };

  return {
    of,

    end: async (delivery) => {
      const turn = of(delivery);
      if (turn) await end(turn);
    },

    in: (chatId) => running.get(chatId),

    begin: async (delivery) => {
      const turn = of(delivery);
      if (!turn) return undefined;
      const { again, activityId, begins, chat } = turn;
      running.set(chat.id, turn);
      if (!again) return 'new';
      if (begins) return (await statements.chat(database.db, { chatId: chat.id })).rows[0]?.started === 1 ? 'settled' : undefined;
      const { rows } = await statements.find(database.db, { chatId: chat.id, activityId });
      return rows[0]?.awaits_turn === 1 ? undefined : 'settled';
    },

    gather: (options) => {
      const turn = new ChatTurn(database, statements, options);
      const name = nameOf(options.chat.id, options.activityId);
      turns.set(name, turn);
      return {
        get settled() {
          return turn.settled;
        },
        end: async () => {
          turns.delete(name);
          await end(turn);
        },
      };
    },
  };
};
