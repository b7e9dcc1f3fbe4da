// e-form: the details to confirm before the form is sent, and its ending.
import { type Addressee, type AppCards, addresseeFacts, endingCard, knownFacts } from './app-cards.ts';

export const eForm: AppCards<'e-form', Addressee & { readonly form: string }> = {
  subject: 'cards.facts.form',
  summary: (data, t) => [...addresseeFacts(data, t), { label: t('cards.facts.form'), value: data.form }],

  // The answers are left out. A form does not verify the person in the chat (decision 0008), and the bot cannot
  // read those of a zero-knowledge form anyway.
  outcome(ending, t) {
    const { result, status, subject } = ending;
    const facts = knownFacts([{ label: t('cards.facts.form'), value: subject }]);
    const notes = status === 'success' ? [t(result?.zeroKnowledge ? 'cards.e-form.sealed' : 'cards.e-form.kept')] : [];
    return endingCard('e-form', ending, { facts, notes }, t);
  },
};
