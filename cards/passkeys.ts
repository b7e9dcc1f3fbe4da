// passkeys: the details to confirm before the request is sent, and the ending.
import { type Addressee, type AppCards, endingCard, knownFacts } from './app-cards.ts';
import { humanise } from './plain.ts';
import type { TitledKey } from './texts.ts';

// The reference service's actions. Any other is shown under the service's name for it, without further claims.
const texts = {
  authentication: 'cards.passkeys.success.authentication',
  enrollment: 'cards.passkeys.success.enrollment',
  /** Set up by somebody who has already confirmed who they are. */
  added: 'cards.passkeys.success.added',
} as const satisfies Record<string, TitledKey>;
const textsOf = (action: string, verified = false): TitledKey | undefined => {
  if (action === 'enrollment') return verified ? texts.added : texts.enrollment;
  return action === 'authentication' ? texts.authentication : undefined;
};

/** Sent by e-mail. */
type Request = Pick<Addressee, 'customer'> & { readonly email: string };

export const passkeys: AppCards<'passkeys', Request> = {
  summary: ({ customer, email }, t) => [
    { label: t('cards.facts.customer'), value: customer },
    { label: t('cards.facts.email'), value: email },
  ],

  outcome(ending, t) {
    if (ending.status !== 'success') return endingCard('passkeys', ending, {}, t);
    const action = ending.result?.action ?? '';
    const known = textsOf(action, ending.verified);
    if (known) return endingCard('passkeys', ending, { texts: known }, t);
    const facts = knownFacts([{ label: t('cards.facts.action'), value: action === '' ? undefined : humanise(action) }]);
    return endingCard('passkeys', ending, { facts }, t);
  },
};
