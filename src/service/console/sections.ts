// The sections of the console, in the order shown. To add one, add a file beside this one and a line here.
import type { Clock } from '../../platform/time/clock.ts';
import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Access } from '../core/accounts.ts';
import type { Endings } from '../core/lifecycle/endings.ts';
import type { Resend } from '../core/lifecycle/resends.ts';
import type { Storage } from '../core/store/index.ts';
import type { Unlocks } from '../one-time-passcode/unlock.ts';
import { overview } from './overview/overview.ts';
import type { AuditParts } from './requests/audit.ts';
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

export interface SectionParts {
  readonly storage: Pick<Storage, 'console' | 'notes' | 'reports' | 'requests' | 'webhooks'>;
  /** Posts due webhooks. */
  readonly posting: Scheduler;
  readonly accesses: readonly Access[];
  readonly endings: Endings;
  readonly resend: Resend;
  readonly unlocks: Unlocks;
  readonly documentUrl: (requestId: string) => string;
  readonly audit: AuditParts;
  readonly clock: Clock;
}

export const makeSections = ({
  storage,
  accesses: opening,
  endings,
  resend,
  unlocks,
  documentUrl,
  audit,
  posting,
  clock,
}: SectionParts): readonly ConsoleSection[] => [
  overview({ reports: storage.reports, clock }),
  requests({ requests: storage.requests, reports: storage.reports, notes: storage.notes, endings, resend, documentUrl, audit }),
  customers(unlocks),
  products(),
  documents(),
  forms(),
  keys({ accesses: opening, clock }),
  webhooks({ webhooks: storage.webhooks, posting, clock }),
  signedIn({ store: storage.console, clock }),
  accesses(storage.console),
];
