// The parts of a browser that signing in needs: cookies by host, redirects, and pages that redirect by themselves.
import assert from 'node:assert/strict';
import { request } from 'undici';
import { hiddenFields } from './device.ts';
import type { Reply } from './running-service.ts';

export type Page = Omit<Reply, 'json'> & { readonly url: URL };

/** Changes an address before it is followed. */
export type Detour = (url: URL) => void;

export interface OpenIdVisitor {
  get(address: string): Promise<Page>;
  post(address: string, fields?: Readonly<Record<string, string>>, headers?: Readonly<Record<string, string>>): Promise<Page>;
  /** Presses the sign-in button of a console page. Returns the provider's address behind it. */
  leave(from?: string): Promise<URL>;
  /** Chooses an identity at the provider. Returns the address that it redirects the browser to. */
  choose(at: URL, who: string): Promise<URL>;
  /** Signs in. Returns the callback's page, having followed `detour` on both redirects. */
  signIn(who: string, detour?: { readonly there?: Detour; readonly back?: Detour }): Promise<Page>;
  /** Its cookies for an origin, by name. */
  cookies(origin: string): ReadonlyMap<string, string>;
}

/** Where a page redirects by itself. */
export const onwardFrom = ({ text, url }: Page): URL => {
  const address = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1];
  assert.ok(address, `${url.pathname} leads nowhere: ${text.slice(0, 2000)}`);
  return new URL(address.replaceAll('&amp;', '&'), url);
};

/**
 * @param home - the pages' own address: scheme, host and port
 * @param place - where they begin
 */
export const makeOpenIdVisitor = (home: string, place = '/console'): OpenIdVisitor => {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const ask = async (
    method: 'GET' | 'POST',
    address: string,
    body?: URLSearchParams,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Page> => {
    const url = new URL(address, home);
    const jar = jarOf(url.origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(cookie && { cookie }), ...(body && { 'content-type': 'application/x-www-form-urlencoded' }), ...more };
    const answer = await request(url, { method, headers, ...(body && { body: body.toString() }) });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text(), url };
  };
  const get = (address: string) => ask('GET', address);
  const post = (address: string, fields = {}, headers = {}) => ask('POST', address, new URLSearchParams(fields), headers);
  /** Follows redirects within the provider. Returns the address that leaves it, or its page if it stays. */
  const within = async (first: Page): Promise<Page | URL> => {
    for (let page = first, step = 0; ; step += 1) {
      assert.ok(step < 10, 'it redirects for ever');
      const { location } = page.headers;
      if (location === undefined) return page;
      const next = new URL(String(location), page.url);
      if (next.origin !== first.url.origin) return next;
      page = await get(next.href);
    }
  };
  const leave = async (from = place) => {
    const page = await get(from);
    return onwardFrom(await post(`${place}/sign-in`, { ...hiddenFields(page.text), zone: 'Asia/Kathmandu' }));
  };
  const choose = async (at: URL, who: string) => {
    const asked = await within(await get(at.href));
    // The provider does not ask people whom it knows already.
    if (asked instanceof URL) return asked;
    assert.match(asked.text, /Who are you\?/, asked.text);
    const back = await within(await post(asked.url.href, { who }));
    assert.ok(back instanceof URL, `the provider keeps the browser: ${back instanceof URL || back.text}`);
    return back;
  };
  return {
    get,
    post,
    leave,
    choose,
    signIn: async (who, { there = () => {}, back = () => {} } = {}) => {
      const to = await leave();
      there(to);
      const callback = await choose(to, who);
      back(callback);
      return get(callback.href);
    },
    cookies: (origin) => jarOf(origin),
  };
};
