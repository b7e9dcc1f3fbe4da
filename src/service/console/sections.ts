// The sections of the console, in the order shown. To add one, add a file beside this one and a line here.
import type { Core } from '../core/core.ts';
import type { OpenWebhooks } from '../webhooks/open.ts';
import { overview } from './overview/overview.ts';
import { makeReports } from './reports.ts';
import type { AuditParts } from './requests/request.ts';
import { requests } from './requests/requests.ts';
import type { ConsoleSection } from './section.ts';
import { accesses } from './sections/accesses.ts';
import { customers } from './sections/customers.ts';
import { documents } from './sections/documents.ts';
import { forms } from './sections/forms.ts';
import { keys } from './sections/keys.ts';
import { products } from './sections/products.ts';
import { signedIn } from './sections/signed-in.ts';
import { webhooks } from './sections/webhooks.ts';
import type { ConsoleStore } from './store.ts';

export const makeSections = (core: Core, store: ConsoleStore, audit: AuditParts, posted: OpenWebhooks): readonly ConsoleSection[] => {
  const { storage, accesses: keyed, clock } = core;
  const reports = makeReports(storage.database);
  return [
    overview(reports, clock),
    requests({ core, reports, audit }),
    customers(core),
    products,
    documents,
    forms,
    keys(keyed, clock),
    webhooks(posted, clock),
    signedIn(store, clock),
    accesses(store),
  ];
};
