// The routes behind a message's link. Looking at it (GET) changes nothing, since link scanners look too; only posts do.

import type { AppId, EventType } from '../../../contract/index.ts';
import { postedFields } from '../../../platform/http/http-body.ts';
import type { FieldError } from '../../../platform/http/http-problem.ts';
import type { Answer, Handler, HttpRequest } from '../../../platform/http/http-server.ts';
import type { PageParts } from '../app.ts';
import { type Origin, originOf } from '../audit/origin.ts';
import type { Core } from '../core.ts';
import { started } from '../lifecycle/endings.ts';
import { type DevicePages, goneWords } from '../pages/device-pages.ts';
import type { Request } from '../store/request.ts';
import { canBeEnded } from '../test-numbers.ts';
import type { TextKey, Texts } from '../texts.ts';
import { formLimits, type Gone, refuseForeign } from './opening.ts';

/** What a customer sees next: a step of the page, or the end. */
export type FlowStep =
  | { readonly page: PageParts; readonly errors?: readonly FieldError[] }
  /** `over`: it has just ended otherwise. `reason`: why it failed, unless the customer declined. */
  | { readonly ended: 'failure' | 'over'; readonly reason?: TextKey }
  | { readonly ended: 'success' };

export interface FlowContext {
  readonly words: Texts;
  readonly entered: Readonly<Record<string, string>>;
  readonly origin: Origin;
}

export interface DeviceFlow {
  /** The first step. A read changes nothing. */
  first(request: Request, words: Texts): Promise<FlowStep>;
  /** The next step after the customer's input; declining is handled elsewhere. */
  next(request: Request, context: FlowContext): Promise<FlowStep>;
}

/** Where a request continues if its page does not end it. */
export type Onward = (request: Request, words: Texts) => Promise<Answer>;

const opened = ['task.bootstrapped'] as const;

/** @param flows - of the apps whose page has steps of its own */
export const addLinks = (core: Core, flows: Partial<Record<AppId, DeviceFlow>>, onward: Onward) => {
  const { server, apps, storage, endings, note, succeeded, open, answerers, publicUrl, random, clock, produce, taskOf } = core;
  const shown = (request: Request, step: FlowStep, words: Texts, pages: DevicePages) => {
    if ('page' in step) return pages.show(request, step.page, step.errors ?? [], words);
    if (step.ended === 'success') return succeeded(request, words);
    return step.ended === 'over' ? pages.gone(410, words) : pages.done(request, step.ended, words, { reason: step.reason });
  };

  /** The request that a browser returns to after answering it; no other browser sees how it ended. */
  const answeredBy = (call: HttpRequest, { over }: Gone) =>
    over && (over.why === 'answered' || over.why === 'done') && answerers.isOne(call, over.request) ? over.request : undefined;

  const gone = (call: HttpRequest, found: Gone): Answer => {
    const answered = answeredBy(call, found);
    if (!answered) return found.gone;
    return answered.state === 'success' ? succeeded(answered, found.words) : found.pages.done(answered, 'failure', found.words);
  };

  const show: Handler = async (call) => {
    const found = await open(call);
    if ('gone' in found) return gone(call, found);
    const { request, words, pages } = found;
    const flow = flows[request.app];
    if (flow) return shown(request, await flow.first(request, words), words, pages);
    return pages.ask(request, {}, [], words) ?? pages.gone(404, words);
  };

  /** The reports of the page's script: it is visible, it is being filled in. */
  const progress =
    (events: readonly EventType[]): Handler =>
    async (call) => {
      refuseForeign(call, publicUrl());
      const found = await open(call);
      if ('request' in found) await note(found.request, events, call);
      return { status: 204 };
    };

  /**
   * The poll of the page's script while the page is open: whether the request is still open, and otherwise what to
   * show, or to ask `again`.
   */
  const state: Handler = async (call) => {
    const found = await open(call);
    if (!('gone' in found)) return { status: 200, body: { open: true } };
    const body = answeredBy(call, found) ? { again: true } : goneWords(found.words, found.over?.why);
    return { status: 200, body: { open: false, ...body } };
  };

  const finish: Handler = async (call) => {
    refuseForeign(call, publicUrl());
    const found = await open(call);
    if ('gone' in found) return gone(call, found);
    const { request, words, pages } = found;
    if (!canBeEnded(request.behaviour)) return pages.waits(words);
    const task = taskOf(request);
    const entered = postedFields(call.body);
    const origin = originOf(call);
    if (entered.decision === 'decline') {
      const declined = await endings.byCustomer(request, 'failure', { ...task.known(), reason: 'declined' }, origin, started);
      return declined ? answerers.remember(request, pages.done(request, 'failure', words)) : over(request, words, pages);
    }
    const flow = flows[request.app];
    if (flow) return shown(request, await flow.next(request, { words, entered, origin }), words, pages);
    const completion = task.complete(entered, { texts: words, newId: () => random.id(clock.now()) });
    if (!completion || 'errors' in completion) {
      await note(request, started, call);
      if (!completion) return answerers.remember(request, await onward(request, words));
      return pages.ask(request, entered, completion.errors, words) ?? pages.gone(404, words);
    }
    const effect = await produce(request, words, entered);
    const accepted = await endings.byCustomer(request, 'success', completion.value, origin, started, effect);
    return accepted ? succeeded(request, words) : over(request, words, pages);
  };

  /**
   * The page for a request that has just ended: it may have succeeded elsewhere while it was declined here.
   */
  const over = async (request: Request, words: Texts, pages: DevicePages) =>
    apps[request.app].endsElsewhere && (await storage.requests.get(request.id))?.state === 'success'
      ? succeeded(request, words)
      : pages.gone(410, words);

  server.route('GET', '/r/:token', show);
  server.route('POST', '/r/:token', finish, { limits: formLimits });
  server.route('GET', '/r/:token/state', state, { body: 'none' });
  server.route('POST', '/r/:token/opened', progress(opened), { limits: formLimits });
  server.route('POST', '/r/:token/started', progress(started), { limits: formLimits });
};
