// What programs can send and run: from the service, the settings and the flows.
import type { Asked } from '../../dialogs/index.ts';
import type { AppId, BootstrapAnswer } from '../contract/index.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';

/** What an app offers to everybody; it says nothing about customers. @throws {HttpProblem} */
const bootstrapOf = async <Id extends AppId>({ services, t }: Asked, app: Id): Promise<BootstrapAnswer<Id>> => {
  const { catalogueNumber: phoneNumber, interactions, newId } = services;
  if (phoneNumber === undefined)
    throw new HttpProblem(409, 'no_catalogue_number', 'The operator has not set CATALOGUE_NUMBER, so there is nothing to show.');
  const lookup = await interactions.lookup(app, { phoneNumber, sessionRef: newId() }, t.language);
  if ('found' in lookup) return lookup.found;
  throw new HttpProblem(503, lookup.trouble, 'The service cannot be asked now. Please try again.', { headers: { 'Retry-After': '5' } });
};

/** The catalogues by name, with their contents. */
export const catalogues = {
  products: {
    title: 'Products',
    description: 'The products that customers can pay for: values for productId in start_payments.',
    read: async (asked) => (await bootstrapOf(asked, 'payments')).products,
  },
  documents: {
    title: 'Documents',
    description:
      'The documents that customers can sign, with their variables: values for documentId and variables in start_document_signature.',
    read: async (asked) => (await bootstrapOf(asked, 'document-signature')).documents,
  },
  forms: {
    title: 'Forms',
    description: 'The forms that customers can fill in: values for formId in start_e_form.',
    read: async ({ services, t }) => services.forms.map(({ id, title }) => ({ id, title: title[t.language] ?? (title.en as string) })),
  },
  flows: {
    title: 'Flows',
    description: 'The flows that can be run, with their inputs and outputs: values for flow and inputs in start_flow.',
    read: async ({ services, t }) =>
      (services.flows?.described(t) ?? []).map(({ flow: id, title, description, needs, gives }) => ({
        id,
        title,
        description,
        needs,
        gives,
      })),
  },
} as const satisfies Record<
  string,
  { readonly title: string; readonly description: string; read(asked: Asked): Promise<readonly object[]> }
>;

export type CatalogueName = keyof typeof catalogues;
export const catalogueNames = Object.keys(catalogues) as CatalogueName[];
