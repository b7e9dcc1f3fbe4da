// The routes behind a message's link. Looking at it (GET) changes nothing, since link scanners look too; only posts do.

import type { AppId, EventType } from '../../../contract/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Answer, Handler, HttpServer } from '../../../platform/http-server.ts';
import { serviceApps } from '../apps/index.ts';
import { type Endings, started, taskOf } from '../lifecycle/endings.ts';
import type { Listeners } from '../listeners.ts';
import type { Random } from '../random.ts';
import type { Storage } from '../store/index.ts';
import type { Request } from '../store/request.ts';
import type { Effect } from '../store/undoable.ts';
import { canBeEnded } from '../test-numbers.ts';
import type { Texts } from '../texts.ts';
import { customerAt, type Origin, originOf } from '../trail/origin.ts';
import type { DeviceFlow, FlowStep } from './flow.ts';
import { type OpenLink, refuseForeign } from './opening.ts';
import { type DevicePages, goneWords, type Keepsake } from './pages.ts';
import { fieldsOf, formLimits } from './posts.ts';

export interface LinksOptions {
  readonly server: HttpServer;
  readonly storage: Storage;
  readonly endings: Endings;
  readonly listeners: Listeners;
  readonly open: OpenLink;
  /** Apps whose page has steps of its own. */
  readonly flows: Partial<Record<AppId, DeviceFlow>>;
  readonly publicUrl: () => URL;
  readonly random: Random;
  readonly clock: Clock;
  /** What else a success stores, made of what was entered. */
  readonly produce: (request: Request, words: Texts, entered: Readonly<Record<string, string>>) => Promise<Effect | undefined>;
  /** What the customer can take along when they are done. */
  readonly keepsake: Keepsake;
  /** Where a request continues whose page does not end it. */
  readonly onward: (request: Request, words: Texts) => Promise<Answer>;
}

const opened = ['task.bootstrapped'] as const;

export const addLinks = (options: LinksOptions) => {
  const { server, storage, endings, listeners, open, flows, publicUrl, random, clock, produce, keepsake, onward } = options;
  const shown = (request: Request, step: FlowStep, words: Texts, pages: DevicePages) => {
    if ('page' in step) return pages.show(request, step.page, step.errors ?? [], words);
    return step.ended === 'over' ? pages.gone(410, words) : pages.done(step.ended, words, { reason: step.reason });
  };

  const note = async (request: Request, events: readonly EventType[], origin: Origin) => {
    const recorded = { by: customerAt(origin), shown: taskOf(request).shown() };
    if (await storage.changes.note(request.id, events, clock.now(), 'once', recorded)) listeners.tell(request.id);
  };

  const show: Handler = async (call) => {
    const found = await open(call);
    if ('gone' in found) return found.gone;
    const { request, words, pages } = found;
    const flow = flows[request.app];
    if (flow) return shown(request, await flow.first(request, words), words, pages);
    return pages.ask(request, {}, [], words) ?? pages.gone(404, words);
  };

  /** What the page's script tells: that it is seen, that it is being filled in. */
  const progress =
    (events: readonly EventType[]): Handler =>
    async (call) => {
      refuseForeign(call, publicUrl());
      const found = await open(call);
      if ('request' in found) await note(found.request, events, originOf(call));
      return { status: 204 };
    };

  /** What the page's script asks while the page is open: whether there is still something to answer, else what to say. */
  const state: Handler = async (call) => {
    const found = await open(call);
    return { status: 200, body: 'gone' in found ? { open: false, ...goneWords(found.words, found.over) } : { open: true } };
  };

  const finish: Handler = async (call) => {
    refuseForeign(call, publicUrl());
    const found = await open(call);
    if ('gone' in found) return found.gone;
    const { request, words, pages } = found;
    if (!canBeEnded(request.behaviour)) return pages.waits(words);
    const task = taskOf(request);
    const entered = fieldsOf(call.body);
    const origin = originOf(call);
    if (entered.decision === 'decline') {
      const declined = await endings.byCustomer(request, 'failure', { ...task.known(), reason: 'declined' }, origin, started);
      return declined ? pages.done('failure', words) : over(request, words, pages);
    }
    const flow = flows[request.app];
    if (flow) return shown(request, await flow.next(request, { words, entered, origin }), words, pages);
    const completion = task.complete(entered, { texts: words, newId: () => random.id(clock.now()) });
    if (!completion || 'errors' in completion) {
      await note(request, started, origin);
      if (!completion) return onward(request, words);
      return pages.ask(request, entered, completion.errors, words) ?? pages.gone(404, words);
    }
    const effect = await produce(request, words, entered);
    const accepted = await endings.byCustomer(request, 'success', completion.value, origin, started, effect);
    return accepted ? pages.done('success', words, { keepsake: keepsake(request, words) }) : over(request, words, pages);
  };

  /** What there is to say of a request that was over at this moment: declined here, it may have ended well elsewhere already. */
  const over = async (request: Request, words: Texts, pages: DevicePages) =>
    serviceApps[request.app].endsElsewhere && (await storage.requests.get(request.id))?.state === 'success'
      ? pages.done('success', words, { keepsake: keepsake(request, words) })
      : pages.gone(410, words);

  server.route('GET', '/r/:token', show);
  server.route('POST', '/r/:token', finish, { limits: formLimits });
  server.route('GET', '/r/:token/state', state, { body: 'none' });
  server.route('POST', '/r/:token/opened', progress(opened), { limits: formLimits });
  server.route('POST', '/r/:token/started', progress(started), { limits: formLimits });
};
