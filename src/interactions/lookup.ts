// Whom a phone number belongs to and what can be sent to them: an app's bootstrap, with its troubles as data.
import type { ServiceClient } from '../client/index.ts';
import type { AppId, BootstrapAnswer } from '../contract/index.ts';
import type { Log } from '../platform/log.ts';
import { callFields, type Trouble, troubleOf } from './trouble.ts';

export type Lookup<Id extends AppId = AppId> = { readonly found: BootstrapAnswer<Id> } | { readonly trouble: Trouble };

export interface LookupParts {
  readonly client: ServiceClient;
  readonly log: Log;
}

export const makeLookup =
  ({ client, log }: LookupParts) =>
  /** Looks up a phone number (E.164). One that nobody has is found, with no customers. `language`: what is offered comes in it where possible. */
  async <Id extends AppId>(app: Id, caller: { phoneNumber: string; sessionRef: string }, language?: string): Promise<Lookup<Id>> => {
    try {
      return { found: (await client.apps[app].bootstrap(caller, { language })) as BootstrapAnswer<Id> };
    } catch (fault) {
      const trouble = troubleOf(fault);
      log.warn({ operation: 'bootstrap', ...callFields(fault), app, reason: trouble }, 'the lookup of a caller failed');
      return { trouble };
    }
  };
