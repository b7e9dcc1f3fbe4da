// What an app is to both sides of the interface: the shape that the five files beside this one fill in.
import type { z } from 'zod';

/** One call of the interface. `request` is what the caller hands over, whichever way it travels; `response` is the body of a 200. */
export interface Operation<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** What it is for, in a few words, as documents list it. */
  readonly summary: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly request: Request;
  readonly response: Response;
}

/**
 * A call whose answer a client can use although parts of it depart from the interface. `reading` takes everything that `response` does, and what a
 * client can do without may be missing or unreadable there.
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
}

/** An app of the service: its identifier, its calls, and the fields it adds to a result record. */
export interface AppContract<Operations extends AppOperations = AppOperations, Fields extends z.ZodRawShape = z.ZodRawShape> {
  readonly id: string;
  readonly operations: Operations;
  readonly resultFields: Fields;
}

/** States an app while keeping its exact types. */
export const defineApp = <const Id extends string, Operations extends AppOperations, Fields extends z.ZodRawShape>(
  app: AppContract<Operations, Fields> & { readonly id: Id },
) => app;
