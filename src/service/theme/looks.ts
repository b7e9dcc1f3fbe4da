// What pages show of a theme: a name, the address of its logo, and a style sheet of its colours.
import { makeCached } from '../../platform/cached-answer.ts';
import { type Html, html } from '../../platform/html.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import type { LoadedAccount } from '../catalogue/load.ts';
import { further, mix } from './contrast.ts';
import type { Colours, Palette, Theme } from './theme.ts';

export interface Look {
  readonly name?: string | undefined;
  /** Where its logo is. */
  readonly logo?: string | undefined;
  /** Goes into the page's head, under its nonce. */
  readonly style?: Html | undefined;
  /** The same colours, for what takes no style sheet. */
  readonly colours?: Colours | undefined;
}

export interface Looks {
  /** The service's own, of pages that are nobody's. */
  readonly service: Look;
  /** An account's. Without a theme of its own it looks like the service. */
  of(accountId: string | undefined): Look;
}

const forLong = 'public, max-age=31536000, immutable';

/** Serves the logos, and tells who looks how. */
export const addLooks = (server: HttpServer, loaded: readonly LoadedAccount[], theme: Theme = {}): Looks => {
  const served = new Set<string>();
  const serve = ({ logo }: Theme): string | undefined => {
    if (!logo) return undefined;
    const { hash, answer } = makeCached(logo.content, { 'Content-Type': logo.type, 'Cache-Control': forLong });
    const path = `/assets/logo.${hash}.${logo.type === 'image/png' ? 'png' : 'svg'}`;
    if (!served.has(path)) server.route('GET', path, answer, { body: 'none' });
    served.add(path);
    return path;
  };
  const lookOf = (one: Theme): Look => ({ name: one.name, logo: serve(one), ...inColours(one.colours) });
  const service = lookOf(theme);
  // The name and the logo of one who serves several accounts are none of theirs.
  const shared: Look = loaded.length > 1 ? inColours(theme.colours) : service;
  const own = new Map(loaded.map(({ catalogue, theme: one }) => [catalogue.account.id, one ? lookOf(one) : shared]));
  return { service, of: (accountId) => own.get(accountId ?? '') ?? service };
};

const inColours = (colours: Colours | undefined): Look => (colours ? { colours, style: styleOf(colours) } : {});

const styleOf = ({ light, dark }: Colours): Html =>
  html`:root{${variables(light)}}@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`;

/** Under the pointer a button moves away from its text, so that it is read better rather than worse. */
const variables = ({ accent, text, link, soft }: Palette): Html =>
  html`--accent:${accent};--accent-hover:${mix(further(text, '#000000', '#ffffff'), 0.16, accent)};--on-accent:${text};--accent-soft:${soft};--link:${link}`;
