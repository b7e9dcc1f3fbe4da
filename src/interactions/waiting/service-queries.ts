// The watchers' queries to the service.
import { type CancelEnding, ProtocolError } from '../../client/index.ts';
import type { EventFrame, ResultRecord } from '../../contract/index.ts';
import type { Claim, Interaction } from '../interaction.ts';
import type { InteractionsParts } from '../ports.ts';

/** The part of an interaction that stays in memory while it waits. */
export type WatchedRequest = Claim & Pick<Interaction, 'alike' | 'app' | 'deadline' | 'requestId' | 'wsToken'>;

type QueryParts = Pick<InteractionsParts, 'client'>;

/** Whether an event is about this interaction. If it does not say, it is: its token belongs to no other. */
export const concerns = ({ app, requestId }: WatchedRequest, { payload }: EventFrame) =>
  (payload?.app ?? app) === app && (payload?.request?.id ?? requestId)?.toUpperCase() === requestId?.toUpperCase();

/**
 * The result, or `undefined` while the service has none.
 * @throws {ProtocolError} for an answer that cannot be read, or is about another app: that is neither an outcome nor
 * "not finished"
 */
export const readResult = async (
  { client }: QueryParts,
  { app, requestId }: WatchedRequest,
  signal: AbortSignal,
): Promise<ResultRecord | undefined> => {
  if (requestId === undefined) return undefined;
  const result = await client.results.get(requestId, { signal });
  // The client has checked that it is about this request.
  if (result === undefined || result.app === app) return result;
  throw new ProtocolError('results.get', 'mismatch', { paths: ['app'] });
};

/**
 * Whether the service says that the request was withdrawn: by its operators, or for a newer one from another chat.
 * There is no result then. A service without this extension never says so, and the deadline ends the wait.
 */
export const wasWithdrawn = async ({ client }: QueryParts, { requestId }: WatchedRequest, signal: AbortSignal): Promise<boolean> =>
  requestId !== undefined && (await client.requests.get(requestId, { signal })).record?.state === 'cancelled';

/** Withdraws the request, as far as the service can. Only `cancelled` guarantees that nobody can use it any more. */
export const withdraw = async (
  { client }: QueryParts,
  { requestId }: WatchedRequest,
  signal: AbortSignal,
): Promise<CancelEnding['kind']> => (requestId === undefined ? 'unsupported' : (await client.requests.cancel(requestId, { signal })).kind);
