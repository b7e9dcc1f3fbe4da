// What watchers share: their context, what of an interaction stays in memory, and their queries to the service.
import { type CancelEnding, ProtocolError } from '../../client/index.ts';
import type { EventFrame, ResultRecord } from '../../contract/index.ts';
import type { Claim, Decision, DeviceStep, Interaction } from '../interaction.ts';
import type { InteractionsContext } from '../ports.ts';
import type { SafetyReads } from './safety-reads.ts';

/** Runs some of them at a time, as p-queue does, whose types the published declarations must not name. */
type ReadQueue = { add<Result>(read: () => Promise<Result>, how?: { readonly priority: number }): Promise<Result> };

export type WatcherContext = Pick<InteractionsContext, 'client' | 'clock' | 'events' | 'log' | 'random' | 'tracing'> & {
  /** Stores what watchers find out. What throws is called again. */
  readonly lifecycle: {
    decide(claim: Claim, decision: Decision): Promise<void>;
    /** Ends the wait without a known outcome. */
    expire(claim: Claim): Promise<void>;
    /** Gives up looking for a late result; nothing more is delivered. */
    abandon(claim: Claim): Promise<void>;
    advance(claim: Claim, step: DeviceStep): Promise<void>;
  };
  readonly reads: ReadQueue;
  /** Late reads have limits of their own, so that they do not delay interactions that customers wait for. */
  readonly lateReads: ReadQueue;
  readonly safety: SafetyReads;
};

/** The part of an interaction that stays in memory while it waits. */
export type WatchedRequest = Claim & Pick<Interaction, 'blindLookup' | 'app' | 'deadline' | 'requestId' | 'wsToken'>;

/** Whether an event is about this interaction. If it does not say, it is: its token belongs to no other. */
export const concerns = ({ app, requestId }: WatchedRequest, { payload }: EventFrame) =>
  (payload?.app ?? app) === app && (payload?.request?.id ?? requestId)?.toUpperCase() === requestId?.toUpperCase();

/**
 * The result, or `undefined` while the service has none.
 * @throws {ProtocolError} for an answer that cannot be read, or is about another app: that is neither an outcome nor
 * "not finished"
 */
export const readResult = async (
  { client }: Pick<InteractionsContext, 'client'>,
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
export const wasWithdrawn = async ({ client }: WatcherContext, { requestId }: WatchedRequest, signal: AbortSignal): Promise<boolean> =>
  requestId !== undefined && (await client.requests.get(requestId, { signal })).record?.state === 'cancelled';

/** Withdraws the request, as far as the service can. Only `cancelled` guarantees that nobody can use it any more. */
export const withdraw = async (
  { client }: WatcherContext,
  { requestId }: WatchedRequest,
  signal: AbortSignal,
): Promise<CancelEnding['kind']> => (requestId === undefined ? 'unsupported' : (await client.requests.cancel(requestId, { signal })).kind);
