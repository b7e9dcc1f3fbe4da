// `/privacy` and `/terms`, which Teams requires of every app: the theme's own pages, or a few honest words if it has
// none.
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import { sharedStyles } from '../../platform/pages/assets.ts';
import type { Look } from '../../platform/pages/look.ts';
import { answerPage } from '../../platform/pages/page.ts';
import { html } from '../../platform/text/html.ts';
import { type Language, negotiateLanguage } from '../../platform/text/languages.ts';
import { aboutTexts } from '../texts.ts';

/** Answers with a link to the theme's page, or with our own page. */
export const aboutPage = (
  kind: 'privacy' | 'terms',
  assets: Readonly<Record<'about.css' | (typeof sharedStyles)[number], string>>,
  look: Look,
  fallbackLanguage: Language,
) => {
  const theirs = look.links?.[kind];
  if (theirs !== undefined) return (): Answer => ({ status: 302, headers: { Location: theirs } });
  return ({ headers }: HttpRequest): Answer => {
    const language = negotiateLanguage(headers['accept-language'], fallbackLanguage);
    const { [kind]: text, back } = aboutTexts[language];
    const name = look.name ?? 'Countersign';
    return answerPage({
      language,
      title: `${text.title} – ${name}`,
      listed: true,
      styles: [...sharedStyles, 'about.css' as const].map((name) => assets[name]),
      style: look.style,
      body: html`<body>
<main>
<p class="whose">${name}</p>
<h1>${text.title}</h1>
<p>${text.operator}</p>
<p>${text.software}</p>
<p>${text.care}</p>
<p><a href="/">${back}</a></p>
</main>
</body>`,
    });
  };
};
