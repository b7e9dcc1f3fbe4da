// The accounts' keys: their identifiers and when they expire, never the keys themselves.

import { html } from '../../../platform/text/html.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { Access } from '../../core/accounts.ts';
import { type Column, code, head, table } from '../parts.ts';
import type { ConsoleSection } from '../section.ts';

/** A key that expires within this time (ms) is highlighted. */
const soonMs = 14 * 24 * 60 * 60_000;

export const keys = (accesses: readonly Access[], clock: Clock): ConsoleSection => ({
  path: '/keys',
  title: 'console.keys.title',
  icon: 'M15 9a4 4 0 1 0-4 4 4 4 0 0 0 4-4M14 11.5l6 6V20h-3v-2h-2v-2l-2.5-2.5',
  role: 'viewer',
  answer: ({ words }) => {
    const { t, moment } = words;
    const now = clock.now();
    const validity = (expiresAt: number | undefined) => {
      if (expiresAt !== undefined && expiresAt <= now) return html`<span class="state failure">${t('console.keys.expired')}</span>`;
      if (expiresAt !== undefined && expiresAt - now < soonMs) return html`<span class="state timeout">${t('console.keys.soon')}</span>`;
      return html`<span class="state success">${t('console.keys.valid')}</span>`;
    };
    const listed = accesses.flatMap(({ account, keys: all }) =>
      all.map(({ digest, expiresAt }) => ({ account, hex: digest.toString('hex'), expiresAt })),
    );
    const columns: readonly Column<(typeof listed)[number]>[] = [
      [t('console.account'), ({ account }) => html`<strong>${account.name}</strong>`],
      [t('console.keys.id'), ({ hex }) => code(hex.slice(0, 8))],
      [t('console.keys.end'), ({ hex }) => code(`…${hex.slice(-4)}`)],
      [t('console.keys.expires'), ({ expiresAt }) => (expiresAt === undefined ? t('console.keys.never') : moment(expiresAt))],
      [t('console.requests.state'), ({ expiresAt }) => validity(expiresAt)],
    ];
    return {
      title: t('console.keys.title'),
      body: html`${head(t('console.keys.title'), t('console.keys.lead'))}${table(t('console.keys.title'), columns, listed)}`,
    };
  },
});
