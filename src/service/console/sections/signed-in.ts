// Who is signed in at the console, since when and from where; ends one session, or all sessions of a person.

import { postedFields } from '../../../platform/http/http-body.ts';
import { html } from '../../../platform/text/html.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { type Column, code, head, table } from '../parts.ts';
import { type ConsoleSection, onward, type Visit } from '../section.ts';
import type { ConsoleStore } from '../store.ts';

const posted = ({ call }: Visit) => postedFields(call.body);

export const signedIn = (store: Pick<ConsoleStore, 'end' | 'endAll' | 'open'>, clock: Clock): ConsoleSection => ({
  path: '/sessions',
  title: 'console.sessions.title',
  icon: 'M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21v-1a6 6 0 0 1 6-6h1M15 18l2 2 4-4',
  role: 'operator',
  looked: () => ({ action: 'sessions', subject: '' }),
  answer: async ({ words }) => {
    const { t, named, moment } = words;
    const end = (path: string, name: string, value: string, label: string, spoken: string) =>
      html`<form method="post" action="/console/sessions/${path}"><input type="hidden" name="${name}" value="${value}"><button aria-label="${spoken}">${label}</button></form>`;
    const sessions = await store.open(clock.now());
    const columns: readonly Column<(typeof sessions)[number]>[] = [
      [
        t('console.accesses.who'),
        ({ person, role }) => html`<span>${person} <span class="tag">${named(`console.role.${role}`)}</span></span>`,
      ],
      [t('console.sessions.since'), ({ begunAt }) => moment(begunAt)],
      [t('console.sessions.seen'), ({ seenAt }) => seenAt !== undefined && moment(seenAt)],
      [t('console.accesses.address'), ({ address }) => address !== '' && code(address)],
      [
        t('console.sessions.end'),
        ({ id, person, subject }) =>
          html`${end('end', 'session', id, t('console.sessions.end'), t('console.sessions.endOf', { person }))}${end('end-all', 'person', subject, t('console.sessions.endAll'), t('console.sessions.endAllOf', { person }))}`,
      ],
    ];
    const title = t('console.sessions.title');
    return { title, body: html`${head(title, t('console.sessions.lead'))}${table(title, columns, sessions)}` };
  },
  others: [
    {
      method: 'POST',
      path: '/sessions/end',
      role: 'operator',
      looked: (visit) => ({ action: 'end-session', subject: (posted(visit).session ?? '').slice(0, 8) }),
      answer: async (visit) => {
        await store.end(posted(visit).session ?? '');
        return onward('/sessions');
      },
    },
    {
      method: 'POST',
      path: '/sessions/end-all',
      role: 'operator',
      looked: (visit) => ({ action: 'end-sessions', subject: (posted(visit).person ?? '').slice(0, 255) }),
      answer: async (visit) => {
        await store.endAll(posted(visit).person ?? '');
        return onward('/sessions');
      },
    },
  ],
});
