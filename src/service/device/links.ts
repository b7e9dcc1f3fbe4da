// The routes behind a message's link. Looking at it (GET) changes nothing, since link scanners look too; only posts do.

import type { Clock } from '../../platform/clock.ts';
import { HttpProblem } from '../../platform/http-problem.ts';
import type { Answer, Handler, HttpRequest, HttpServer } from '../../platform/http-server.ts';
import type { Language } from '../languages.ts';
import { negotiate } from '../languages.ts';
import { type Endings, taskOf } from '../life/endings.ts';
import type { Listeners } from '../listeners.ts';
import type { Random } from '../random.ts';
import { hashToken } from '../seal.ts';
import type { Storage } from '../store/index.ts';
import type { Request } from '../store/request.ts';
import { canBeEnded } from '../test-numbers.ts';
import type { Texts } from '../texts.ts';
import type { DevicePages } from './pages.ts';

export interface LinksOptions {
  readonly server: HttpServer;
  readonly storage: Storage;
  readonly endings: Endings;
  readonly listeners: Listeners;
  readonly pages: DevicePages;
  readonly texts: (language: Language) => Texts;
  readonly publicUrl: () => URL;
  readonly random: Random;
  readonly clock: Clock;
}

const formLimits = { size: 32 * 1024, depth: 4 };
const opened = ['task.bootstrapped'] as const;
const started = ['task.bootstrapped', 'task.started'] as const;

export const addLinks = ({ server, storage, endings, listeners, pages, texts, publicUrl, random, clock }: LinksOptions) => {
  /** The pending request behind a link, or the page that says that there is none. */
  const open = async ({ params, headers }: HttpRequest): Promise<{ request: Request; words: Texts } | { gone: Answer }> => {
    const token = params.token ?? '';
    const request = /^[A-Za-z0-9_-]{16,200}$/.test(token) ? await storage.requests.byLink(hashToken(token)) : undefined;
    const words = texts(negotiate(headers['accept-language'], request?.language ?? 'en'));
    if (!request) return { gone: pages.gone(404, words) };
    if (request.state !== 'pending' || request.expiresAt <= clock.now()) return { gone: pages.gone(410, words) };
    return { request, words };
  };

  const show: Handler = async (call) => {
    const found = await open(call);
    if ('gone' in found) return found.gone;
    return pages.ask(taskOf(found.request), {}, [], found.words) ?? pages.gone(404, found.words);
  };

  /** What the page's script tells: that it is seen, that it is being filled in. */
  const progress =
    (events: typeof opened | typeof started): Handler =>
    async (call) => {
      refuseForeign(call, publicUrl());
      const found = await open(call);
      if ('request' in found && (await storage.changes.note(found.request.id, events, clock.now(), 'once')))
        listeners.tell(found.request.id);
      return { status: 204 };
    };

  const finish: Handler = async (call) => {
    refuseForeign(call, publicUrl());
    const found = await open(call);
    if ('gone' in found) return found.gone;
    const { request, words } = found;
    if (!canBeEnded(request.behaviour)) return pages.waits(words);
    const task = taskOf(request);
    const entered = fieldsOf(call.body);
    const origin = { ipAddress: call.remoteAddress, userAgent: call.headers['user-agent'] };
    if (entered.decision === 'decline') {
      const declined = await endings.byCustomer(request, 'failure', task.known(), origin, started);
      return declined ? pages.done('failure', words) : pages.gone(410, words);
    }
    const completion = task.complete(entered, { texts: words, newId: () => random.id(clock.now()) });
    if ('errors' in completion) {
      if (await storage.changes.note(request.id, started, clock.now(), 'once')) listeners.tell(request.id);
      return pages.ask(task, entered, completion.errors, words) ?? pages.gone(404, words);
    }
    const accepted = await endings.byCustomer(request, 'success', completion.value, origin, started);
    return accepted ? pages.done('success', words) : pages.gone(410, words);
  };

  server.route('GET', '/r/:token', show);
  server.route('POST', '/r/:token', finish, { limits: formLimits });
  server.route('POST', '/r/:token/opened', progress(opened), { limits: formLimits });
  server.route('POST', '/r/:token/started', progress(started), { limits: formLimits });
};

/**
 * Keeps other sites from posting in a customer's name. Browsers say where a post comes from in Sec-Fetch-Site; older ones in Origin, which
 * `Referrer-Policy: no-referrer` turns into `null` even for our own page. What remains is the token in the address, which no other site knows.
 */
const refuseForeign = ({ headers }: HttpRequest, publicUrl: URL) => {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const foreign =
    site !== undefined
      ? site !== 'same-origin' && site !== 'none'
      : origin !== undefined && origin !== 'null' && origin !== publicUrl.origin && origin !== `${publicUrl.protocol}//${headers.host}`;
  if (foreign) throw new HttpProblem(403, 'cross_site', 'This request came from another site.');
};

const fieldsOf = (body: unknown): Readonly<Record<string, string>> =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {};
