// `/privacy` and `/terms`, which Teams requires of every app: the theme's own pages, or a few honest words if it has
// none.
import { randomBytes } from 'node:crypto';
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import type { Look } from '../../platform/pages/look.ts';
import { inLanguage } from '../../platform/text/direction.ts';
import { html } from '../../platform/text/html.ts';
import { aboutTexts, chooseLanguage, type PageLanguage } from '../texts.ts';

export interface AboutPageParts {
  readonly assets: Readonly<Record<'about.css' | 'colours.css', string>>;
  readonly fallbackLanguage: PageLanguage;
  readonly look: Look;
}

/** Answers with a link to the theme's page, or with our own page. */
export const aboutPage = (kind: 'privacy' | 'terms', { assets, fallbackLanguage, look }: AboutPageParts) => {
  const theirs = look.links?.[kind];
  if (theirs !== undefined) return (): Answer => ({ status: 302, headers: { Location: theirs } });
  return ({ headers }: HttpRequest): Answer => {
    const nonce = randomBytes(16).toString('base64');
    const language = chooseLanguage(headers['accept-language'], fallbackLanguage);
    const { [kind]: text, back } = aboutTexts[language];
    const name = look.name ?? 'Countersign';
    return {
      status: 200,
      headers: {
        'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'Content-Language': language,
        Vary: 'Accept-Language',
      },
      body: html`<html ${inLanguage(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${text.title} – ${name}</title>
<link rel="stylesheet" href="${assets['colours.css']}" nonce="${nonce}">
<link rel="stylesheet" href="${assets['about.css']}" nonce="${nonce}">
${look.style && html`<style nonce="${nonce}">${look.style}</style>`}
</head>
<body>
<main>
<p class="whose">${name}</p>
<h1>${text.title}</h1>
<p>${text.operator}</p>
<p>${text.software}</p>
<p>${text.care}</p>
<p><a href="/">${back}</a></p>
</main>
</body>
</html>`,
    };
  };
};
