// passkeys: what is confirmed before the request goes out, and how it ended.
import { type Addressee, type AppCards, endingCard, knownFacts } from './app-cards.ts';
import { humanise } from './plain.ts';

// The reference service's actions. Any other is named as the service names it, and nothing is claimed about it.
const actions = ['authentication', 'enrollment'];

/** Goes out by e-mail. */
type Request = Pick<Addressee, 'customer'> & { readonly email: string };

export const passkeys: AppCards<'passkeys', Request> = {
  summary: ({ customer, email }, t) => [
    { label: t('cards.facts.customer'), value: customer },
    { label: t('cards.facts.email'), value: email },
  ],

  outcome(ending, t) {
    if (ending.status !== 'success') return endingCard('passkeys', ending, {}, t);
    const action = ending.result?.action ?? '';
    if (actions.includes(action)) return endingCard('passkeys', ending, { texts: `success.${action}` }, t);
    const facts = knownFacts([{ label: t('cards.facts.action'), value: action === '' ? undefined : humanise(action) }]);
    return endingCard('passkeys', ending, { texts: 'success.other', facts }, t);
  },
};
