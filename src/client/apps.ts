// The calls of every app, derived from the contract.
import { z } from 'zod';
import {
  type AppId,
  type Apps,
  appIds,
  apps,
  hasReturnableLink,
  type Operation,
  type ReadOperation,
  readingWithLinkAt,
  withLinkAt,
} from '../contract/index.ts';
import { type AppCalls, type CallOptions, callOf } from './calls.ts';
import type { Perform } from './perform.ts';
import {
  type BootstrapMode,
  bootstrapEncoding,
  configurationEncoding,
  enrolmentEncoding,
  post,
  type RequestEncoding,
} from './request-encoding.ts';

/** The calls that every app has, by identifier. Indexing with a generic identifier gives the generic calls. */
export type UniformApps = { readonly [Id in AppId]: AppCalls<Id> };

/** The value that a client makes of an operation's answer. */
type Answer<Of> = Of extends { readonly reading: z.ZodType }
  ? z.output<Of['reading']>
  : Of extends Operation
    ? z.output<Of['response']>
    : never;

/** The calls that only this app has. */
type OwnCalls<Id extends AppId> = {
  readonly [Name in Exclude<keyof Apps[Id]['operations'], 'bootstrap' | 'send'>]: Apps[Id]['operations'][Name] extends Operation<
    infer Request
  >
    ? (request: z.input<Request>, options?: CallOptions) => Promise<Answer<Apps[Id]['operations'][Name]>>
    : never;
};

/** The calls of each app: `apps.payments.send(…)`, `apps['one-time-passcode'].check(…)`. */
export type ServiceApps = UniformApps & { readonly [Id in AppId]: OwnCalls<Id> };

/** @param linkOrigins - the origins that returned links may lead to */
export const appsOf = (perform: Perform, mode: BootstrapMode, linkOrigins: readonly string[]): ServiceApps =>
  Object.fromEntries(appIds.map((id) => [id, callsOf(id, perform, mode, linkOrigins)])) as unknown as ServiceApps;

const callsOf = (id: AppId, perform: Perform, mode: BootstrapMode, linkOrigins: readonly string[]) => {
  const operations: Record<string, Operation & Partial<ReadOperation>> = apps[id].operations;
  const encodingOf = ({ method, path, repeat }: Operation): RequestEncoding => {
    if (repeat !== 'safe') return post;
    if (method === 'POST') return enrolmentEncoding[mode];
    const sharesPath = Object.values(operations).some((other) => other.path === path && other.method === 'POST');
    return (sharesPath ? configurationEncoding : bootstrapEncoding)[mode];
  };
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => {
      // An operation without a lenient reading is read strictly.
      const { response, reading = response, repeat } = operation;
      const linked =
        name === 'send' && hasReturnableLink(apps[id]) && response instanceof z.ZodObject && reading instanceof z.ZodObject
          ? { response: withLinkAt(response, linkOrigins), reading: readingWithLinkAt(reading, linkOrigins) }
          : undefined;
      return [name, callOf(perform, `${id}.${name}`, { ...operation, reading }, { encoding: encodingOf(operation), repeat }, linked)];
    }),
  );
};
