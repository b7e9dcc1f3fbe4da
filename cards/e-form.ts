// e-form: what is confirmed before the form goes out, and the answers that came back.
import { answerFacts } from './answers.ts';
import { type AppCards, addresseeFacts } from './app-cards.ts';
import { endingCard, known, missingDetails } from './outcome.ts';

export const eForm: AppCards<'e-form'> = {
  summary: (data, t) => [...addresseeFacts(data, t), { label: t('cards.facts.form'), value: data.form }],

  outcome(ending, t) {
    const { result, status, subject } = ending;
    const form = known([{ label: t('cards.facts.form'), value: subject }]);
    if (status !== 'success') return endingCard('e-form', ending, { facts: form }, t);
    // Left out: the answers of a zero-knowledge form. They are sealed for the account holder and mean nothing here.
    if (result?.zeroKnowledge) return endingCard('e-form', ending, { facts: form, notes: [t('cards.e-form.sealed')] }, t);
    const { facts, leftOut } = answerFacts(result?.data ?? [], t);
    const more = leftOut > 0 ? [t('cards.e-form.more', { count: leftOut })] : [];
    return endingCard('e-form', ending, { facts: [...form, ...facts], notes: [...more, ...missingDetails(ending, t)] }, t);
  },
};
