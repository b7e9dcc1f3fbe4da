// Looks up the customers of a phone number, and the recipient of a request: an app's bootstrap, with its troubles as
// data.
import type { AppId, BootstrapAnswer, SendRequest } from '../../contract/index.ts';
import type { Interaction } from '../interaction.ts';
import type { InteractionsContext } from '../ports.ts';
import { callFields, type Trouble, troubleOf } from '../trouble.ts';

export type Lookup<Id extends AppId = AppId> = { readonly found: BootstrapAnswer<Id> } | { readonly trouble: Trouble };

export const makeLookup =
  ({ client, log }: InteractionsContext) =>
  /**
   * Looks up a phone number (E.164). A number without customers is no trouble. `language` (BCP 47): for the names of
   * documents and products, if the service has them.
   */
  async <Id extends AppId>(app: Id, caller: { phoneNumber: string; sessionRef: string }, language?: string): Promise<Lookup<Id>> => {
    try {
      return { found: (await client.apps[app].bootstrap(caller, { language })) as BootstrapAnswer<Id> };
    } catch (fault) {
      const trouble = troubleOf(fault);
      log.warn({ operation: 'bootstrap', ...callFields(fault), app, reason: trouble }, 'the lookup of a caller failed');
      return { trouble };
    }
  };

/**
 * Whether a passkeys request can be sent to this value. Services may have no address for a customer, or something else
 * in its place.
 */
export const isMailable = (email: string | undefined): email is string => email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email);

/**
 * The whole body of an interaction's send. A passkeys request's recipients are looked up now, so that no address is
 * stored; an earlier version may have stored them. A refusal means that the lookup failed or the customer is gone;
 * nothing was sent then.
 */
export const withRecipients = async (
  { client, log }: Pick<InteractionsContext, 'client' | 'log'>,
  { id, app, request, customerRef, phoneNumber, sessionRef }: Interaction,
  signal?: AbortSignal,
): Promise<SendRequest<Interaction['app']> | { readonly refusal: Trouble }> => {
  if (app !== 'passkeys' || 'recipients' in request) return request as SendRequest<typeof app>;
  try {
    const { customers } = await client.apps.passkeys.bootstrap({ phoneNumber, sessionRef }, { signal });
    const customer = customers.find((found) => found.id === customerRef);
    const { email, name = '' } = customer ?? {};
    if (!isMailable(email)) return { refusal: 'rejected' };
    return { ...(request as SendRequest<'passkeys'>), recipients: [{ email, name: name.trim() || email }] };
  } catch (fault) {
    const refusal = troubleOf(fault);
    log.warn(
      { operation: 'bootstrap', ...callFields(fault), app, interaction: id, reason: refusal },
      'whom to send to could not be looked up',
    );
    return { refusal };
  }
};
