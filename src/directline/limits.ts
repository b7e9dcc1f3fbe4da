// How much one conversation may ask for and hold (security: resource exhaustion).
import type { Rate } from '../platform/rate-limit.ts';
import type { ChatBounds } from '../storage/chats.ts';

export interface DirectLineLimits {
  /** Requests with the conversation's tokens. */
  readonly requests: Rate;
  /** Reads whose answers the client has yet to take; each may hold a page of activities in memory. */
  readonly reads: number;
  /** What is kept of it. The bot may always answer; the customer is told to begin a new one. */
  readonly chat: ChatBounds;
}

/** A finished conversation with one interaction is kept in about 44 KB and 30 changes. */
export const usualLimits: DirectLineLimits = {
  requests: { points: 60, seconds: 10 },
  reads: 4,
  chat: { bytes: 2 * 1024 * 1024, revisions: 5_000 },
};
