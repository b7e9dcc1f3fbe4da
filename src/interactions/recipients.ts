// Whom a passkeys request goes to: looked up when it is sent, so that no address is stored.
import type { ServiceClient } from '../client/index.ts';
import type { SendRequest } from '../contract/index.ts';
import type { Log } from '../platform/log.ts';
import type { Interaction } from './interaction.ts';
import { callFields, type Trouble, troubleOf } from './trouble.ts';

/** Whether a request can go there. A service may know a customer without an address, or with something else in its place. */
export const isMailable = (email: string | undefined): email is string => email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email);

/**
 * The whole body of an interaction's send, or why there is none: the customer could not be looked up, or is gone. Nothing
 * was sent then. A request that an earlier version stored with its recipients goes to these.
 */
export const withRecipients = async (
  { client, log }: { readonly client: ServiceClient; readonly log: Log },
  {
    id,
    app,
    request,
    customerRef,
    phoneNumber,
    sessionRef,
  }: Pick<Interaction, 'id' | 'app' | 'request' | 'customerRef' | 'phoneNumber' | 'sessionRef'>,
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
