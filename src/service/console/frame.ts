// The frame of the console's pages: the service's name, links to the sections, and who is signed in.

import type { Answer } from '../../platform/http/http-server.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { ServiceContext } from '../core/context.ts';
import { brandOf } from '../core/pages/brand.ts';
import { page } from '../core/pages/layout.ts';
import type { TextKey, Texts } from '../core/texts.ts';
import type { ConsoleSection, Shown, Visit } from './section.ts';

export type Frame = ReturnType<typeof makeFrame>;

const icon = (path: string): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${path}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export const makeFrame = ({ assets, looks }: ServiceContext, sections: readonly ConsoleSection[]) => {
  const { service: look } = looks;
  const name = look.name ?? 'Countersign';
  const common = { assets, look, styles: ['outbox.css', 'console.css'] } as const;

  const ways = (current: ConsoleSection, { t }: Texts) =>
    html`<nav aria-label="${t('console.sections')}"><ul>${sections.map(
      (section) =>
        html`<li><a class="way" href="/console${section.path}"${section === current && html` aria-current="page"`}>${icon(section.icon)}${t(section.title)}</a></li>`,
    )}</ul></nav>`;

  return {
    /** A page of a section, for a signed-in user. */
    framed: ({ status = 200, title, body, scripts = [] }: Shown, section: ConsoleSection, { session, words }: Visit): Answer => {
      const { t, named } = words;
      const person = html`<form class="person" method="post" action="/console/sign-out"><bdi class="name">${session.person}</bdi><span class="tag">${named(`console.role.${session.role}`)}</span><button class="small">${t('console.signOut')}</button></form>`;
      return page({
        ...common,
        status,
        language: words.language,
        title: `${title} · ${name}`,
        scripts: [...scripts, 'console.js'],
        kind: 'console',
        body: html`<a class="skip" href="#content">${t('console.skip')}</a>
          <header class="top"><a class="brand" href="/console">${brandOf(name, look)}</a>${person}</header>
          <details class="menu"><summary>${icon('M4 7h16M4 12h16M4 17h16')}<span>${t(section.title)}</span></summary>${ways(section, words)}</details>
          <div class="columns"><aside>${ways(section, words)}</aside><main id="content" tabindex="-1">${body}</main></div>`,
      });
    },
    /**
     * A page for users who are not signed in or not allowed: a title, an instruction, optionally a form, and additions
     * to the document's head.
     */
    bare: (status: number, title: TextKey, text: TextKey, { t, language }: Texts, more?: Html, inHead?: Html): Answer =>
      page({
        ...common,
        status,
        language,
        head: inHead,
        title: `${t(title)} · ${name}`,
        scripts: ['console.js'],
        kind: 'device',
        body: html`<header class="brand">${brandOf(name, look)}</header><main class="card"><h1>${t(title)}</h1><p class="lead">${t(text)}</p>${more}</main>`,
      }),
  };
};
