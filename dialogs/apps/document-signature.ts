// document-signature: a document is chosen and filled in here, and signed on the customer's device.
import { defineAppDialog } from '../asking/app-dialog.ts';
import { addresseeOf } from '../asking/caller.ts';
import { documentOf, variablesQuestion } from '../asking/variables.ts';
import { choosing } from './choosing.ts';

export const documentSignature = defineAppDialog({
  id: 'document-signature',
  catalogued: true,
  choose: {
    none: 'document-signature.none',
    offered: (_turn, { found }) => found.documents.map(({ id }) => id),
    question: choosing<'document-signature'>('document', ({ t }, { found }) => ({
      question: t('document-signature.choose'),
      offers: found.documents.map(({ id, title }) => ({ title, value: id })),
    })),
  },
  fill: {
    needed: (gathered) => documentOf(gathered).variables.length > 0,
    refused: (gathered, paths) => documentOf(gathered).variables.flatMap(({ name }) => (paths.includes(`variables.${name}`) ? [name] : [])),
    question: variablesQuestion,
  },
  about: (_turn, gathered) => {
    const { title, variables } = documentOf(gathered);
    return { ...addresseeOf(gathered), document: title, variables, values: gathered.filled ?? {} };
  },
  subject: (_turn, gathered) => documentOf(gathered).title,
  request: (_turn, { sessionRef, customer, phoneNumber, chosen = '', filled }) => ({
    sessionRef,
    customerRef: customer.id,
    phoneNumber,
    documentId: chosen,
    variables: { ...filled },
  }),
});
