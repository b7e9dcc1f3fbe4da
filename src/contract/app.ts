// The record of an app, which both sides of the interface derive from. The app files beside this one fill it in.
import type { z } from 'zod';
import { readingOf, recordOf } from './result-schemas.ts';

/**
 * How often a call may be repeated. `safe`: any number of times, since it only reads or has the same effect again.
 * `keyed`: where the service honours its idempotency key. `once`: only while certainly nothing was sent.
 */
export type Repeat = 'safe' | 'keyed' | 'once';

/**
 * One call of the interface. `request` is the caller's input, however it is encoded; `response` is the body of a 200.
 */
export interface Operation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** Its purpose in a few words, for documents. */
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly repeat: Repeat;
  readonly request: Request;
  readonly response: Response;
}

/**
 * A call whose answer is usable although parts of it depart from the interface. `reading` accepts everything that
 * `response` does, and tolerates dispensable fields that are missing or unreadable.
 */
export interface ReadOperation<
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Reading extends z.ZodType = z.ZodType,
> extends Operation<Request, Response> {
  readonly reading: Reading;
}

/** The calls that every app has. An app may have more. */
export interface AppOperations {
  readonly bootstrap: ReadOperation;
  readonly send: ReadOperation;
  readonly [name: string]: Operation;
}

/** Everything that both sides know about an app. Calls, limits, timeouts and cards derive from it. */
export interface AppContract<
  Id extends string = string,
  Operations extends AppOperations = AppOperations,
  Fields extends z.ZodRawShape = z.ZodRawShape,
> {
  readonly id: Id;
  /** How long a request is valid, in minutes, unless the account or the service says otherwise. */
  readonly lifetimeMinutes: number;
  /** Where the customer gets the message. */
  readonly sentTo: 'email' | 'phone';
  /** Where the customer answers: on a page on their device, or by typing a code in the chat. */
  readonly answeredIn: 'chat' | 'page';
  /** The fields of a result by which a success proves who the customer is. `false`: it proves nothing. */
  readonly verifies: false | { readonly [Name in keyof Fields]?: string };
  readonly operations: Operations;
  /** The app's own fields of a result record. */
  readonly resultFields: Fields;
  /** Those own fields that any chat may show and store. Answers, links and receipts are never among them. */
  readonly storedFields: readonly (keyof Fields)[];
}

/** Defines an app with its exact types, and makes the schemas of its results. */
export const defineApp = <
  const Id extends string,
  Operations extends AppOperations,
  Fields extends z.ZodRawShape,
  const Verifies extends AppContract<Id, Operations, Fields>['verifies'],
>(
  app: AppContract<Id, Operations, Fields> & { readonly verifies: Verifies },
) => ({ ...app, result: { record: recordOf(app.id, app.resultFields), reading: readingOf(app.id, app.resultFields) } });
