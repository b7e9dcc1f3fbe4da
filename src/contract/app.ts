// What an app is to both sides of the interface: the record that the app files beside this one fill in.
import type { z } from 'zod';
import { readingOf, recordOf } from './result-schemas.ts';

/**
 * How a call bears being repeated. `safe`: any number of times (it reads, or doing it twice is doing it once). `keyed`:
 * where the service honours its idempotency key. `once`: only while certainly nothing was sent.
 */
export type Repeat = 'safe' | 'keyed' | 'once';

/** One call of the interface. `request` is what the caller passes, however it is encoded; `response` is the body of a 200. */
export interface Operation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** What it is for, in a few words, as documents list it. */
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly repeat: Repeat;
  readonly request: Request;
  readonly response: Response;
}

/**
 * A call whose answer a client can use although parts of it depart from the interface. `reading` accepts all that
 * `response` does; what a client can do without may be missing or unreadable there.
 */
export interface ReadOperation<
  Request extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Reading extends z.ZodType = z.ZodType,
> extends Operation<Request, Response> {
  readonly reading: Reading;
}

/** The calls every app has; an app may have more. */
export interface AppOperations {
  readonly bootstrap: ReadOperation;
  readonly send: ReadOperation;
  readonly [name: string]: Operation;
}

/** Everything that both sides know of an app. Calls, limits, timeouts and cards derive from it. */
export interface AppContract<
  Id extends string = string,
  Operations extends AppOperations = AppOperations,
  Fields extends z.ZodRawShape = z.ZodRawShape,
> {
  readonly id: Id;
  /** How long a request is good, in minutes, unless the account or the service says otherwise. */
  readonly lifetimeMinutes: number;
  /** Where the customer's message goes. */
  readonly sentTo: 'email' | 'phone';
  /** Where the customer answers: on a page on their device, or by typing a code in the chat. */
  readonly answeredIn: 'chat' | 'page';
  /** The fields of a result with which a success proves who the customer is. `false`: it proves nothing. */
  readonly verifies: false | { readonly [Name in keyof Fields]?: string };
  readonly operations: Operations;
  /** The fields that it adds to a result record. */
  readonly resultFields: Fields;
  /** Those of them that any chat may show and store. Answers, links and receipts are not among them. */
  readonly storedFields: readonly (keyof Fields)[];
}

/** States an app while keeping its exact types, and makes the schemas of its results. */
export const defineApp = <
  const Id extends string,
  Operations extends AppOperations,
  Fields extends z.ZodRawShape,
  const Verifies extends AppContract<Id, Operations, Fields>['verifies'],
>(
  app: AppContract<Id, Operations, Fields> & { readonly verifies: Verifies },
) => ({ ...app, result: { record: recordOf(app.id, app.resultFields), reading: readingOf(app.id, app.resultFields) } });
