// e-form: a form from the configured catalogue is chosen here, and filled in on the customer's device.
import { type Asked, defineAppDialog, type Gathered } from '../asking/app-dialog.ts';
import { addresseeOf } from '../asking/caller.ts';
import { formTitle } from '../turn/catalogue.ts';
import { choosing } from './choosing.ts';

const titleOf = ({ services, t }: Asked, { chosen }: Gathered<'e-form'>) => {
  const form = services.forms.find(({ id }) => id === chosen);
  return form && formTitle(form, t.locale);
};

export const eForm = defineAppDialog({
  id: 'e-form',
  choose: {
    none: 'e-form.none',
    offered: ({ services }) => services.forms.map(({ id }) => id),
    question: choosing<'e-form'>('form', ({ t, services }) => ({
      question: t('e-form.choose'),
      offers: services.forms.map((form) => ({ title: formTitle(form, t.locale), value: form.id, names: form.names?.[t.language] ?? [] })),
    })),
  },
  about: (turn, gathered) => ({ ...addresseeOf(gathered), form: titleOf(turn, gathered) ?? '' }),
  subject: titleOf,
  request: (_turn, { sessionRef, customer, phoneNumber, chosen = '' }) => ({
    sessionRef,
    customerRef: customer.id,
    phoneNumber,
    formId: chosen,
  }),
});
