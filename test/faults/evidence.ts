// What a run left behind: the bot's database, the service's, and every chat as a reloaded page shows it.
import { join } from 'node:path';
import type { Seen } from '../support/direct-line.ts';
import { type FaultDatabase, queryFile } from './backends.ts';
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
  /** The idempotency key it was sent under: the interaction's id. */
  readonly key: string;
}

interface ActivityRow {
  readonly chat_id: string;
  readonly activity_id: string;
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

/** The interactions that are not over. */
export const unfinished = ({ query }: Pick<FaultDatabase, 'query'>): Promise<InteractionRow[]> =>
  query<InteractionRow>('SELECT * FROM interaction WHERE told = 0');

/** What the bot's database holds. */
export const gatherBot = async ({ query }: Pick<FaultDatabase, 'query'>): Promise<Pick<Evidence, 'activities' | 'interactions'>> => ({
  interactions: await query<InteractionRow>('SELECT * FROM interaction'),
  activities: await query<ActivityRow>(
    'SELECT chat.id AS chat_id, activity_id, awaits_turn FROM chat_activity JOIN chat ON chat.number = chat_number',
  ),
});

/** Gathers everything. A bot still serves: its chats are read through it. */
export const gather = async (database: FaultDatabase, dataDir: string, stories: readonly Story[]): Promise<Evidence> => ({
  chats: await Promise.all(stories.map(async ({ line, ...story }) => ({ ...story, transcript: await line.reload() }))),
  ...(await gatherBot(database)),
  requests: await queryFile<RequestRow>(
    join(dataDir, 'service.db'),
    'SELECT r.id, r.app, r.state, i.key FROM requests r LEFT JOIN idempotency i ON i.request_id = r.id',
  ),
});
