// The routes behind a message's link. Looking at it (GET) changes nothing, since link scanners look too; only posts do.

import type { AppId } from '../../contract/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Handler, HttpServer } from '../../platform/http-server.ts';
import { type Endings, taskOf } from '../life/endings.ts';
import type { Listeners } from '../listeners.ts';
import type { Random } from '../random.ts';
import type { Storage } from '../store/index.ts';
import { canBeEnded } from '../test-numbers.ts';
import type { Texts } from '../texts.ts';
import { type DeviceFlow, type FlowStep, started } from './flow.ts';
import { type OpenLink, refuseForeign } from './opening.ts';
import type { DevicePages } from './pages.ts';

export interface LinksOptions {
  readonly server: HttpServer;
  readonly storage: Storage;
  readonly endings: Endings;
  readonly listeners: Listeners;
  readonly pages: DevicePages;
  readonly open: OpenLink;
  /** Apps whose page has steps of its own. */
  readonly flows: Partial<Record<AppId, DeviceFlow>>;
  readonly publicUrl: () => URL;
  readonly random: Random;
  readonly clock: Clock;
}

const formLimits = { size: 32 * 1024, depth: 4 };
const opened = ['task.bootstrapped'] as const;

export const addLinks = ({ server, storage, endings, listeners, pages, open, flows, publicUrl, random, clock }: LinksOptions) => {
  const shown = (step: FlowStep, words: Texts) => {
    if ('page' in step) return pages.show(step.page, step.errors ?? [], words);
    return step.ended === 'over' ? pages.gone(410, words) : pages.done(step.ended, words, step.told);
  };

  const show: Handler = async (call) => {
    const found = await open(call);
    if ('gone' in found) return found.gone;
    const flow = flows[found.request.app];
    if (flow) return shown(await flow.first(found.request, found.words), found.words);
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
    const flow = flows[request.app];
    if (flow) return shown(await flow.next(request, { words, entered, origin }), words);
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

const fieldsOf = (body: unknown): Readonly<Record<string, string>> =>
  typeof body === 'object' && body !== null
    ? Object.fromEntries(Object.entries(body).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
    : {};
