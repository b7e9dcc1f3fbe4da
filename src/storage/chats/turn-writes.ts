// The writes of a turn of our own Direct Line as one transaction (decision 0140): what the bot says and changes in the
// chat, its state, and that the customer's activity has had its turn or the outcome was delivered. A crash leaves all of a
// turn or nothing.
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import {
  type Chat,
  type ChatRows,
  digestOf,
  type NewActivity,
  type PlacedActivity,
  type StoredActivity,
  type StoredPart,
} from './chat-rows.ts';

type Write = (transaction: Kysely<Schema>) => Promise<void>;

/** The turn of an activity, whose writes are gathered. */
export interface GatherOptions {
  readonly chat: Chat;
  readonly activityId: string;
  /** The activity was stored before, so its turn may have begun already. */
  readonly again: boolean;
  /** The activity tells the bot that the chat began, and is not stored: settling it marks the chat as started. */
  readonly begins?: boolean | undefined;
  /** Called when what the bot said or changed is stored. */
  readonly onStored?: (part: StoredPart) => void;
}

/** The chat was removed while a turn ran in it. */
class ChatGone extends Error {
  override readonly name = 'ChatGone';
  readonly code = 'chat_gone';
}

/** What a turn has said or recorded is stored after this long (ms), even if it is still running. */
const maxSilenceMs = 150;

/** Those of either kind of turn. `news`: the interaction whose outcome it brings. */
export type TurnOptions = Omit<GatherOptions, 'chat'> & {
  readonly chatId: string;
  readonly chat?: Chat;
  readonly news?: string | undefined;
};

/** Gathers the writes of a turn from when it begins until its {@link TurnWrites.end}. */
export class TurnWrites {
  readonly options: TurnOptions;
  /** Whether it is stored that the activity has had its turn. */
  settled = false;
  /** The key of the conversation's state, once the turn has begun. */
  stateKey: string | undefined;
  readonly #db: Kysely<Schema>;
  readonly #rows: ChatRows;
  readonly #leave: (turn: TurnWrites) => void;
  #onStored: GatherOptions['onStored'];
  #said: NewActivity[] = [];
  #noted: Write[] = [];
  #changed = new Map<string, PlacedActivity>();
  /** The ids that are being stored. */
  #storing: ReadonlySet<string> = new Set();
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Kysely<Schema>, rows: ChatRows, options: TurnOptions, leave: (turn: TurnWrites) => void) {
    this.#db = db;
    this.#rows = rows;
    this.options = options;
    this.#leave = leave;
    this.#onStored = options.onStored;
  }

  /** Adds a message of the bot, unless one is stored or gathered under its key. */
  async say(activity: StoredActivity, key: string | undefined): Promise<{ readonly id: string; readonly added: boolean }> {
    const { activityId, again, chatId } = this.options;
    const dedupeKey = digestOf(key);
    const said = dedupeKey === null ? undefined : this.#said.find((one) => one.dedupeKey === dedupeKey);
    if (said) return { id: said.activity.id, added: false };
    // Only a key of an earlier turn, or of this one's earlier attempt, may be stored.
    const mayRepeat = dedupeKey !== null && (again || !key?.includes(activityId));
    const seen = mayRepeat ? await this.#rows.seen(this.#db, chatId, dedupeKey) : undefined;
    if (seen) return { id: seen.activity_id, added: false };
    this.#said.push({ activity, json: JSON.stringify(activity), dedupeKey });
    this.#flushSoon();
    return { id: activity.id, added: true };
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
  change(changed: PlacedActivity): void {
    this.#changed.set(changed.activity.id, changed);
  }

  /** Whether the activity has writes that are not stored yet. */
  holds(activityId: string): boolean {
    return this.#changed.has(activityId) || this.#storing.has(activityId) || this.#said.some(({ activity }) => activity.id === activityId);
  }

  /** Writes everything gathered so far, and `own`: one after the other, so that all is stored in the order it was said. */
  flush(own?: Write): Promise<void> {
    const done = this.#last.then(() => this.#write(own));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Writes everything gathered, another write, and that the activity has had its turn. */
  async settle(own: Write): Promise<void> {
    const { activityId, begins, chatId, news } = this.options;
    await this.flush(async (transaction) => {
      await own(transaction);
      if (begins) await this.#rows.start(transaction, { chatId });
      else if (news === undefined) await this.#rows.settle(transaction, { chatId, activityId });
    });
    this.settled = true;
  }

  /** Writes what is left, and stops gathering. */
  async end(): Promise<void> {
    await this.flush().finally(() => this.#leave(this));
    // Writes gathered while the rest was being stored.
    await this.flush();
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      // If this fails, it is written with the rest, whose faults are reported.
      this.flush().catch(() => {});
    }, maxSilenceMs);
  }

  async #write(own?: Write): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const [said, noted, changed] = [this.#said, this.#noted, [...this.#changed.values()]];
    if (said.length + changed.length + noted.length === 0 && !own) return;
    this.#said = [];
    this.#noted = [];
    this.#changed.clear();
    this.#storing = new Set([...said, ...changed].map(({ activity }) => activity.id));
    let stored: StoredPart | undefined;
    try {
      stored = await this.#db.transaction().execute(async (transaction) => {
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

  async #store(transaction: Kysely<Schema>, said: readonly NewActivity[], changed: readonly PlacedActivity[]) {
    const count = said.length + changed.length;
    if (count === 0) return undefined;
    const bytes = said.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
    const chat = await this.#rows.grow(transaction, this.options.chatId, bytes, count);
    if (!chat) throw new ChatGone();
    const { number: chatNumber, watermark } = chat;
    const since = watermark - count;
    const activities: PlacedActivity[] = [];
    let revision = since;
    for (const one of said) {
      revision += 1;
      // Another process may have stored it, while it had the conversation; then it exists already.
      if (await this.#rows.insert(transaction, { chatNumber, revision }, one))
        activities.push({ position: revision, activity: one.activity });
    }
    for (const one of changed) {
      revision += 1;
      if (await this.#rows.change(transaction, { chatNumber, revision }, one.activity.id, one.activity)) activities.push(one);
    }
    return { since, watermark, activities: activities.sort((one, other) => one.position - other.position) };
  }
}
