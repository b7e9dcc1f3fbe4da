// document-signature: what is confirmed before the document goes out, and how it ended. The card that fills it in is document-variables.ts.
import type { DocumentVariable } from '../src/contract/index.ts';
import { openLink } from './actions.ts';
import { type AppCards, addresseeFacts } from './app-cards.ts';
import { labelOf } from './document-variables.ts';
import { elsewhereUnlessVerified, endingCard, known } from './outcome.ts';
import type { Texts } from './texts.ts';

/** A value as people read it. What does not fit its type is shown as it was given: that is what will be sent. */
export const shownValue = ({ type, currency }: DocumentVariable, value: string, t: Texts): string => {
  if (type === 'date') return t.date(value);
  if (type === 'currency' && currency !== undefined && Number.isFinite(Number(value))) return t.money(Number(value), currency);
  if ((type === 'number' || type === 'currency') && Number.isFinite(Number(value))) return t.number(Number(value));
  if (type === 'boolean' && (value === 'true' || value === 'false')) return t(`cards.${value === 'true' ? 'yes' : 'no'}`);
  return value;
};

const enteredOf = (variable: DocumentVariable, values: Readonly<Record<string, string>>, t: Texts) => {
  const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
  return value === undefined || value.trim() === '' ? undefined : shownValue(variable, value, t);
};

export const documentSignature: AppCards<'document-signature'> = {
  summary: (data, t) => [
    ...addresseeFacts(data, t),
    { label: t('cards.facts.document'), value: data.document },
    ...known(data.variables.map((variable) => ({ label: labelOf(variable), value: enteredOf(variable, data.values, t) }))),
  ],

  outcome: (ending, t) => {
    const { result, status, subject, verified } = ending;
    const signed = status === 'success';
    return endingCard(
      'document-signature',
      ending,
      {
        facts: known([{ label: t('cards.facts.document'), value: (verified ? result?.title : undefined) ?? subject }]),
        notes: elsewhereUnlessVerified(ending, 'cards.document-signature.onDevice', t),
        links: signed && verified ? openLink(t('cards.document-signature.open'), result?.url) : [],
      },
      t,
    );
  },
};
