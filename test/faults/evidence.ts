// What a run left behind: the bot's database, the service's, and every chat as a reloaded page shows it.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Seen } from '../support/direct-line.ts';
import type { Story } from './customer.ts';

export interface InteractionRow {
  readonly id: string;
  readonly app: string;
  readonly state: string;
  readonly conversation: string;
  readonly request_id: string | null;
  readonly outcome: string | null;
  readonly told: number;
}

interface RequestRow {
  readonly id: string;
  readonly app: string;
  readonly state: string;
  readonly finished_at: number | null;
  /** The idempotency key it was sent under: the interaction's id. */
  readonly key: string;
}

interface ActivityRow {
  readonly chat_id: string;
  readonly activity_id: string;
  readonly position: number;
  readonly revision: number;
  readonly awaits_turn: number;
}

/** A chat as its customer lived it, and as it stands now. */
export interface Chat extends Omit<Story, 'line'> {
  readonly transcript: readonly Seen[];
}

export interface Evidence {
  readonly interactions: readonly InteractionRow[];
  readonly activities: readonly ActivityRow[];
  readonly requests: readonly RequestRow[];
  readonly chats: readonly Chat[];
}

const rows = <Row>(file: string, query: string): Row[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(query).all() as unknown as Row[];
  } finally {
    database.close();
  }
};

/** The interactions that are not over. */
export const unfinished = (dataDir: string): InteractionRow[] =>
  rows<InteractionRow>(join(dataDir, 'bot.db'), 'SELECT * FROM interaction WHERE told = 0');

/** What the bot's database holds. */
export const gatherBot = (dataDir: string): Pick<Evidence, 'activities' | 'interactions'> => ({
  interactions: rows<InteractionRow>(join(dataDir, 'bot.db'), 'SELECT * FROM interaction'),
  activities: rows<ActivityRow>(join(dataDir, 'bot.db'), 'SELECT chat_id, activity_id, position, revision, awaits_turn FROM chat_activity'),
});

/** Gathers everything. The bot still serves: its chats are read through it. */
export const gather = async (dataDir: string, stories: readonly Story[]): Promise<Evidence> => ({
  chats: await Promise.all(stories.map(async ({ line, ...story }) => ({ ...story, transcript: await line.reload() }))),
  ...gatherBot(dataDir),
  requests: rows<RequestRow>(
    join(dataDir, 'service.db'),
    'SELECT r.id, r.app, r.state, r.finished_at, i.key FROM requests r LEFT JOIN idempotency i ON i.request_id = r.id',
  ),
});
