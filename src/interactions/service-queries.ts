// What is asked of the service about an interaction that is watched.
import { type CancelEnding, ProtocolError, type ServiceClient } from '../client/index.ts';
import type { EventFrame, ResultRecord } from '../contract/index.ts';
import type { Claim, Interaction } from './interaction.ts';

/** What of an interaction is kept in memory while it waits. */
export type WatchedRequest = Claim & Pick<Interaction, 'app' | 'deadline' | 'requestId' | 'wsToken'>;

interface Asking {
  readonly client: ServiceClient;
}

/** Whether an event is about this interaction. One that does not say is taken for it: the token it came by names no other. */
export const concerns = ({ app, requestId }: WatchedRequest, { payload }: EventFrame) =>
  (payload?.app ?? app) === app && (payload?.request?.id ?? requestId)?.toUpperCase() === requestId?.toUpperCase();

/**
 * The result, if there is one; `undefined` only while the service says that there is none. One that answers for something else proves nothing.
 * @throws {ProtocolError} when the service has an answer and nobody can read it: this is neither an ending nor "not finished"
 */
export const readResult = async (
  { client }: Asking,
  { app, requestId }: WatchedRequest,
  signal: AbortSignal,
): Promise<ResultRecord | undefined> => {
  if (requestId === undefined) return undefined;
  const result = await client.results.get(requestId, { signal });
  // That it is of this very request the client has seen to.
  if (result === undefined || result.app === app) return result;
  throw new ProtocolError('results.get', 'mismatch', { paths: ['app'] });
};

/**
 * Whether the service says that the request was withdrawn: by its operators, or for a newer one from another chat. No result ever follows
 * then. A service that cannot tell (decisions: Extensions) says nothing, and the deadline ends the wait.
 */
export const wasWithdrawn = async ({ client }: Asking, { requestId }: WatchedRequest, signal: AbortSignal): Promise<boolean> =>
  requestId !== undefined && (await client.requests.get(requestId, { signal })).record?.state === 'cancelled';

/** Takes the request back, as far as the service can. Only `cancelled` is sure: nobody can use it any more. */
export const withdraw = async ({ client }: Asking, { requestId }: WatchedRequest, signal: AbortSignal): Promise<CancelEnding['kind']> =>
  requestId === undefined ? 'unsupported' : (await client.requests.cancel(requestId, { signal })).kind;
