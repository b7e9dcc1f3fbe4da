// Checks that an authenticator's answer uses a passkey of the request's customer.

import type { ServiceContext } from '../core/context.ts';
import type { Request } from '../core/store/request.ts';
import type { TextKey } from '../core/texts.ts';
import type { Ceremony } from './ceremony.ts';
import type { Passkey, Passkeys, Purpose, Use } from './store.ts';

/** A valid signature; the transaction that records the use also compares the counter. */
export interface GoodAssertion {
  readonly passkey: Passkey;
  readonly use: Use;
}

/** Verifies a form field; otherwise returns the text for the customer. */
export const makeJudgeAssertion =
  ({ clock, log }: ServiceContext, passkeys: Passkeys, ceremony: Ceremony) =>
  async (request: Request, field: string | undefined, purpose: Purpose): Promise<GoodAssertion | { readonly reason: TextKey }> => {
    const at = clock.now();
    const { id: requestId, accountId, customerRef } = request;
    const assertion = ceremony.readAssertion(field);
    if (!assertion) return { reason: 'passkeys.script' };
    // Spent first, so that the challenge cannot be used again whatever else is wrong.
    if (!(await passkeys.spend({ challenge: assertion.challenge, requestId, purpose }, at))) return { reason: 'passkeys.late' };
    const passkey = await passkeys.find(accountId, assertion.id);
    const handle = await passkeys.handleOf(accountId, customerRef);
    if (passkey?.customer_ref !== customerRef || handle === undefined || assertion.response.userHandle !== handle) {
      const code = passkey ? 'passkey_of_another' : 'passkey_unknown';
      log.warn({ component: 'passkeys', interaction: requestId, code }, 'a passkey of somebody else was offered');
      return { reason: 'passkeys.stranger' };
    }
    const verified = await ceremony.verifyAssertion(assertion, passkey);
    return verified ? { passkey, use: { ...verified, requestId, at } } : { reason: 'passkeys.bad' };
  };
