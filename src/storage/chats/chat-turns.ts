// The gathered writes of a turn of our own Direct Line. What the bot says and changes in the chat, its state, and that
// the customer's activity has had its turn or the outcome was delivered, are stored in one transaction, so that a crash
// leaves all of a turn or nothing.
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { Schema } from '../schema.ts';
import { type ChangedActivity, changeAt, growChat, insertAt, type NewActivity } from './chat-rows.ts';
import type { ChatStatements } from './chat-statements.ts';
import type { Chat, GatherOptions, PlacedActivity, StoredPart } from './chat-store.ts';

type Write = (transaction: Kysely<Schema>) => Promise<void>;

/** The chat was removed while a turn ran in it. */
class ChatGone extends Error {
  override readonly name = 'ChatGone';
  readonly code = 'chat_gone';
}

/** What a turn has said or recorded is stored after this long (ms), even if it is still running. */
const longestSilence = 150;

type TurnOptions = GatherOptions & {
  /** The turn brings an outcome: there is no activity to settle. */
  readonly news?: boolean;
};

/** A running turn. */
export class ChatTurn {
  readonly chat: Chat;
  readonly activityId: string;
  readonly again: boolean;
  readonly begins: boolean;
  settled = false;
  /** The key of the conversation's state, once the turn has begun. */
  stateKey: string | undefined;
  readonly #database: Database<Schema>;
  readonly #statements: ChatStatements;
  readonly #news: boolean;
  #onStored: GatherOptions['onStored'];
  #said: NewActivity[] = [];
  #noted: Write[] = [];
  #changed = new Map<string, ChangedActivity>();
  /** The ids that are being stored. */
  #storing: ReadonlySet<string> = new Set();
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database<Schema>, statements: ChatStatements, options: TurnOptions) {
    const { chat, activityId, again, begins = false, news = false, onStored } = options;
    this.chat = chat;
    this.#news = news;
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
    this.#flushSoon();
  }

  /** Adds another write to those of what is said. */
  note(write: Write): void {
    this.#noted.push(write);
    this.#flushSoon();
  }

  /** Sets how stored activities are shown, unless whoever began the turn shows them. */
  showBy(show: (part: StoredPart) => void): void {
    this.#onStored ??= show;
  }

  /** Changes an activity. */
  change(changed: ChangedActivity): void {
    this.#changed.set(changed.activityId, changed);
  }

  /** Whether the activity has writes that are not stored yet. */
  holds(activityId: string): boolean {
    return this.#changed.has(activityId) || this.#storing.has(activityId) || this.#said.some(({ activity }) => activity.id === activityId);
  }

  /** Writes everything gathered so far. */
  flush(): Promise<void> {
    return this.#write();
  }

  /** Writes everything gathered, another write, and that the activity has had its turn. */
  async settle(own: Write): Promise<void> {
    await this.#write(async (transaction) => {
      await own(transaction);
      if (this.#news) return;
      const chatId = this.chat.id;
      if (this.begins) await this.#statements.start(transaction, { chatId });
      else await this.#statements.settle(transaction, { chatId, activityId: this.activityId });
    });
    this.settled = true;
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      // If this fails, it is written with the rest, whose faults are reported.
      this.flush().catch(() => {});
    }, longestSilence);
  }

  /** Writes one after the other, so that everything is stored in the order in which it was said. */
  #write(own?: Write): Promise<void> {
    const done = this.#last.then(() => this.#writeNow(own));
    this.#last = done.catch(() => {});
    return done;
  }

  async #writeNow(own?: Write): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const said = this.#said;
    const noted = this.#noted;
    const changed = [...this.#changed.values()];
    if (said.length + changed.length + noted.length === 0 && !own) return;
    this.#said = [];
    this.#noted = [];
    this.#changed.clear();
    this.#storing = new Set([...said, ...changed].map(({ activity }) => activity.id));
    let stored: StoredPart | undefined;
    try {
      stored = await this.#database.db.transaction().execute(async (transaction) => {
        const part = await this.#store(transaction, said, changed);
        for (const write of noted) await write(transaction);
        await own?.(transaction);
        return part;
      });
    } catch (fault) {
      // What was said is written again. A card is changed only together with the state that made it outdated.
      this.#said = [...said, ...this.#said];
      this.#noted = [...noted, ...this.#noted];
      throw fault;
    } finally {
      this.#storing = new Set();
    }
    if (stored) this.#onStored?.(stored);
  }

  async #store(
    transaction: Kysely<Schema>,
    said: readonly NewActivity[],
    changed: readonly ChangedActivity[],
  ): Promise<StoredPart | undefined> {
    const count = said.length + changed.length;
    if (count === 0) return undefined;
    const bytes = said.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
    const chat = await growChat(this.#statements, transaction, { chatId: this.chat.id, bytes, count });
    if (!chat) throw new ChatGone();
    const { number: chatNumber, watermark } = chat;
    const since = watermark - count;
    const activities: PlacedActivity[] = [];
    let revision = since;
    for (const one of said) {
      revision += 1;
      // Another process may have stored it, while it had the conversation; then it exists already.
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
