// A theme on a page: its name, the address of its logo, a style sheet of its colours, and its links.

import type { HttpServer } from '../http/http-server.ts';
import { type Html, html } from '../text/html.ts';
import { makeCached } from './assets.ts';
import { further, mix } from './contrast.ts';
import type { Colours, Links, Palette, Theme } from './theme.ts';

export interface Look {
  readonly name?: string | undefined;
  /** The logo's address. */
  readonly logo?: string | undefined;
  /** Goes into the page's head, under its nonce. */
  readonly style?: Html | undefined;
  /** The same colours, for parts that do not use the style sheet. */
  readonly colours?: Colours | undefined;
  readonly links?: Links | undefined;
}

const forLong = 'public, max-age=31536000, immutable';

/** Serves each theme's logo once, and returns a function from a theme to its look. */
export const makeLookOf = (server: HttpServer) => {
  const served = new Set<string>();
  const serve = ({ logo }: Theme): string | undefined => {
    if (!logo) return undefined;
    const { hash, answer } = makeCached(logo.content, { 'Content-Type': logo.type, 'Cache-Control': forLong });
    const path = `/assets/logo.${hash}.${logo.type === 'image/png' ? 'png' : 'svg'}`;
    if (!served.has(path)) server.route('GET', path, answer, { body: 'none' });
    served.add(path);
    return path;
  };
  return (theme: Theme): Look => ({ name: theme.name, logo: serve(theme), links: theme.links, ...inColours(theme.colours) });
};

/** A look with colours only. */
export const inColours = (colours: Colours | undefined): Look => (colours ? { colours, style: styleOf(colours) } : {});

const styleOf = ({ light, dark }: Colours): Html =>
  html`:root{${variables(light)}}@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`;

/** On hover, a button's colour moves away from its text, so that the text becomes easier to read, not harder. */
const variables = ({ accent, text, link, soft }: Palette): Html =>
  html`--accent:${accent};--accent-hover:${mix(further(text, '#000000', '#ffffff'), 0.16, accent)};--on-accent:${text};--accent-soft:${soft};--link:${link}`;
