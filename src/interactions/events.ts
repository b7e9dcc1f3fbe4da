// The port through which events of the service come in: hints of what happens, never the truth.
import type { EventFrame, EventType } from '../contract/index.ts';
import type { DownReason } from './service-connection.ts';

export interface EventsRequest {
  /** The token of the send. It is sent in the first frame only: never in the address, never in a log. */
  readonly wsToken: string;
  /** The request it was given for, by which the frames of a shared socket are told apart; without it the socket is not shared. */
  readonly requestId?: string | undefined;
  /** The token was sent: the moment to read the result once. Called once, before any event. */
  onUp(): void;
  /** An event whose type is known. Others are ignored. */
  onEvent(type: EventType, frame: EventFrame): void;
  /** A frame came that cannot be read. It may have been the one that mattered, so the result is read. */
  onMalformed?(): void;
  /** The socket is gone. Called once, and nothing is called after it; not at all when this side closed it. */
  onDown(reason: DownReason): void;
}

/** Listens for one token. It does not reconnect: the caller decides when to try again. Never throws. */
export type EventSource = (request: EventsRequest) => { close(): void };
