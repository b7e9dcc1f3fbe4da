// document-signature: a document is chosen and filled in here, and signed on the customer's device.
import type { Document } from '../src/contract/index.ts';
import { addresseeOf, defineAppDialog, type Gathered } from './app.ts';
import { offer } from './offer.ts';
import { variablesQuestion } from './variables.ts';

const chosenOf = ({ found, chosen = 0 }: Gathered<'document-signature'>) => found.documents[chosen] as Document;

export const documentSignature = defineAppDialog({
  id: 'document-signature',
  choose: {
    none: (_turn, { found }) => found.documents.length === 0,
    question: offer<Gathered<'document-signature'>>('document', ({ t }, { found }) => ({
      question: t('document-signature.choose'),
      offers: found.documents.map(({ title }) => ({ title })),
    })),
  },
  fill: { needed: (gathered) => chosenOf(gathered).variables.length > 0, question: variablesQuestion },
  about: (_turn, gathered) => {
    const { title, variables } = chosenOf(gathered);
    return { ...addresseeOf(gathered), document: title, variables, values: gathered.filled ?? {} };
  },
  subject: (_turn, gathered) => chosenOf(gathered).title,
  request: (_turn, gathered) => ({
    sessionRef: gathered.sessionRef,
    customerRef: gathered.customer.id,
    phoneNumber: gathered.phoneNumber,
    documentId: chosenOf(gathered).id,
    variables: { ...gathered.filled },
  }),
});
