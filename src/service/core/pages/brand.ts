// The header and footer of pages, with the account's name, logo and links.

import type { Look } from '../../../platform/pages/look.ts';
import type { Links } from '../../../platform/pages/theme.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Texts } from '../texts.ts';

/** The logo, which contains the name; without a logo, the first letter beside the name. */
export const brandOf = (name: string, { logo }: Look): Html =>
  logo === undefined
    ? html`<span class="mark" aria-hidden="true">${[...name][0]}</span>${name}`
    : html`<img class="logo" src="${logo}" alt="${name}">`;

const kinds = ['privacy', 'terms', 'support'] as const;

/** The links of a theme, with their labels. */
export const linksIn = (links: Links = {}, { t }: Texts): readonly { readonly address: string; readonly title: string }[] =>
  kinds.flatMap((kind) => {
    const address = links[kind];
    return address === undefined ? [] : [{ address, title: t(`links.${kind}`) }];
  });

/** The links in a page's footer. They open in a new tab, so that input in the page is not lost. */
export const footOf = ({ links }: Look, texts: Texts): Html | false => {
  const all = linksIn(links, texts);
  return (
    all.length > 0 &&
    html`<footer class="links"><nav aria-label="${texts.t('links.about')}">${all.map(
      ({ address, title }) => html`<a href="${address}" target="_blank" rel="noopener noreferrer">${title}</a>`,
    )}</nav></footer>`
  );
};
