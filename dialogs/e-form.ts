// e-form: a form from the configured catalogue is chosen here, and filled in on the customer's device.
import { addresseeOf, defineAppDialog, type Gathered } from './app.ts';
import { type FormEntry, formTitle } from './catalogue.ts';
import { offer } from './offer.ts';
import type { Turn } from './turn.ts';

const chosenOf = ({ services }: Turn, { chosen = 0 }: Gathered<'e-form'>) => services.forms[chosen] as FormEntry;
const titleOf = (turn: Turn, gathered: Gathered<'e-form'>) => formTitle(chosenOf(turn, gathered), turn.t.locale);

export const eForm = defineAppDialog({
  id: 'e-form',
  choose: {
    none: ({ services }) => services.forms.length === 0,
    question: offer<Gathered<'e-form'>>('form', ({ t, services }) => ({
      question: t('e-form.choose'),
      offers: services.forms.map((form) => ({ title: formTitle(form, t.locale) })),
    })),
  },
  about: (turn, gathered) => ({ ...addresseeOf(gathered), form: titleOf(turn, gathered) }),
  subject: titleOf,
  request: (turn, gathered) => ({
    sessionRef: gathered.sessionRef,
    customerRef: gathered.customer.id,
    phoneNumber: gathered.phoneNumber,
    formId: chosenOf(turn, gathered).id,
  }),
});
