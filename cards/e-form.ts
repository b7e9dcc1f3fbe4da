// e-form: what is confirmed before the form goes out, and that it came back.
import { type Addressee, type AppCards, addresseeFacts, endingCard, knownFacts } from './app-cards.ts';

export const eForm: AppCards<'e-form', Addressee & { readonly form: string }> = {
  subject: 'cards.facts.form',
  summary: (data, t) => [...addresseeFacts(data, t), { label: t('cards.facts.form'), value: data.form }],

  // Left out: the answers themselves. Whoever chats is not verified by the form, so what was entered on the device stays out of the chat
  // (decision 0008); those of a zero-knowledge form nobody here could read anyway.
  outcome(ending, t) {
    const { result, status, subject } = ending;
    const facts = knownFacts([{ label: t('cards.facts.form'), value: subject }]);
    const notes = status === 'success' ? [t(result?.zeroKnowledge ? 'cards.e-form.sealed' : 'cards.e-form.kept')] : [];
    return endingCard('e-form', ending, { facts, notes }, t);
  },
};
