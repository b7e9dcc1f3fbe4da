// Whose page it is, as its head shows it.
import { type Html, html } from '../../platform/html.ts';
import type { Look } from '../../platform/look.ts';

/** The logo, which says the name; without one the first letter beside the name. */
export const brandOf = (name: string, { logo }: Look): Html =>
  logo === undefined
    ? html`<span class="mark" aria-hidden="true">${[...name][0]}</span>${name}`
    : html`<img class="logo" src="${logo}" alt="${name}">`;
