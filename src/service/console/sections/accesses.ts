// The access log: who viewed whose data at the console, what they did, and when.
import { ulid } from '../../../contract/index.ts';
import { html } from '../../../platform/text/html.ts';
import { type Column, code, head, nextPage, nothing, table } from '../parts.ts';
import type { ConsoleSection } from '../section.ts';
import type { ConsoleStore } from '../store.ts';

/** Lines per page. */
const lines = 100;

export const accesses = (store: Pick<ConsoleStore, 'accesses'>): ConsoleSection => ({
  path: '/accesses',
  title: 'console.accesses.title',
  icon: 'M2 12s4-7 10-7 10 7 10 7-4 7-10 7-10-7-10-7M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6',
  role: 'viewer',
  answer: async ({ call, words }) => {
    const { t, named, moment } = words;
    const before = ulid.safeParse(call.query.get('before') ?? '');
    const found = await store.accesses(before.success ? before.data : undefined, lines);
    const about = (subject: string) =>
      ulid.safeParse(subject).success
        ? html`<a href="/console/requests/${subject}">${code(subject)}</a>`
        : html`<span class="long">${subject}</span>`;
    const columns: readonly Column<(typeof found)[number]>[] = [
      [t('console.requests.when'), ({ at }) => moment(at)],
      [t('console.accesses.what'), ({ action }) => named(`console.did.${action}`)],
      [t('console.accesses.subject'), ({ subject }) => subject !== '' && about(subject)],
      [
        t('console.accesses.who'),
        ({ person, role }) => html`<span>${person} <span class="tag">${named(`console.role.${role}`)}</span></span>`,
      ],
      [t('console.accesses.address'), ({ address }) => code(address)],
    ];
    const last = found.length === lines ? found.at(-1)?.id : undefined;
    return {
      title: t('console.accesses.title'),
      body: html`${head(t('console.accesses.title'), t('console.accesses.lead'))}${found.length > 0 ? table(t('console.accesses.title'), columns, found) : nothing(t('console.accesses.nothing'))}
        ${nextPage(last && `/console/accesses?before=${last}`, t('console.older'))}`,
    };
  },
});
