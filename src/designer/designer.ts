// `/designer`: a flow's diagram, its chat, and the outcomes to choose from. For flow designers, on their own machine. It
// shows the running bot and no playground beside it: what works here works for customers. It changes no file.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Fault, FlowSource, LoadedFlows } from '../flows/index.ts';
import { isSameOrigin } from '../platform/http/client-address.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { Handler, HttpRequest, HttpServer } from '../platform/http/http-server.ts';
import { isFromThisMachine } from '../platform/outgoing/loopback.ts';
import { addAssets, sharedFiles } from '../platform/pages/assets.ts';
import { designerPage, partsAlone } from './page.ts';
import type { Trails } from './trails.ts';
import { endingNames, type Parts, type Shown, viewParts } from './view.ts';

export interface DesignerOptions {
  /** The path at which the chat page can be framed. */
  readonly chatPath: string;
  /** The flows in use, and the faults of the current files. */
  readonly flows: () => { readonly loaded: LoadedFlows; readonly faults: readonly Fault[] };
  readonly trails: Trails;
  /** A chat's flow, in the version that it began with, with the current step, and the requests that it waits for. */
  readonly standingOf: (conversation: string) => Promise<{
    readonly at?: { readonly source: FlowSource; readonly current: boolean; readonly place: string | undefined } | undefined;
    readonly waiting: Shown['waiting'];
  }>;
  /** Ends a request that a chat is waiting for; `false` if it has already ended. */
  readonly end: (interaction: string, outcome: (typeof endingNames)[number]) => Promise<boolean>;
  /** Whether the service beside the bot can end requests on demand. */
  readonly canEnd: boolean;
  /** A clock that can be moved forward, if there is one. */
  readonly time?: { readonly ahead: () => number; readonly advance: (ms: number) => void } | undefined;
  readonly now: () => number;
}

/** Serves the page. Every route answers this machine only, whatever else the server does. */
export const addDesigner = async (
  server: HttpServer,
  { chatPath, flows, trails, standingOf, end, canEnd, time, now }: DesignerOptions,
): Promise<void> => {
  const here = (name: string) => new URL(`assets/${name}`, import.meta.url);
  const assets = await addAssets(server, [
    ...sharedFiles,
    { name: 'designer.css', file: here('designer.css') },
    { name: 'designer.js', file: here('designer.js') },
  ]);

  const view = async ({ query }: HttpRequest): Promise<{ readonly parts: Parts; readonly run: string }> => {
    const { loaded, faults: checked } = flows();
    const faults = [...checked, ...trails.warnings(new Set([...loaded.flows.values()].map(({ version }) => version)))];
    const conversation = query.get('conversation') || undefined;
    const { at, waiting = [] } = (conversation !== undefined && (await standingOf(conversation))) || {};
    const trail = conversation === undefined ? undefined : trails.trailOf(conversation);
    const names = [...loaded.flows.keys()].sort();
    // A flow that the chat starts is shown until another is chosen.
    const begun = at?.source.flow ?? trail?.ended?.at?.flow;
    const run = begun === undefined ? '' : `${trail?.run ?? ''} ${begun}`;
    const wanted = query.get('run') === run ? query.get('flow') : begun;
    const name = [wanted, begun, query.get('flow'), ...names].find((one) => one && (loaded.flows.has(one) || one === at?.source.flow));
    const inIt = at?.source.flow === name ? at : undefined;
    const source = inIt?.source ?? loaded.flows.get(name ?? '')?.source;
    const current = inIt?.current ?? true;
    const shown = source && {
      source,
      current,
      written: current ? loaded.flows.get(source.flow) : undefined,
      lit: { now: inIt?.place, trail },
      funnel: trails.funnelOf(source.flow),
    };
    return { run, parts: viewParts({ names, shown, faults, waiting, canEnd, ahead: time?.ahead(), now: now() }) };
  };

  const route = (method: 'GET' | 'POST', path: string, handler: Handler) => {
    const guarded: Handler = (request) => {
      if (!isFromThisMachine(request)) throw new HttpProblem(404, 'not_found', 'There is nothing at this address.');
      if (method === 'POST' && !isSameOrigin(request, undefined))
        throw new HttpProblem(403, 'cross_site', 'Only the page itself can ask for this.');
      return handler(request);
    };
    server.route(method, path, guarded, method === 'GET' ? { body: 'none' } : {});
  };

  route('GET', '/designer', async (request) => designerPage((await view(request)).parts, assets, chatPath));

  route('GET', '/designer/view', async (request) => {
    const { parts, run } = await view(request);
    const body = partsAlone(parts, run);
    const tag = `"${createHash('sha256').update(body.markup).digest('base64url').slice(0, 22)}"`;
    return request.headers['if-none-match'] === tag
      ? { status: 304, headers: { ETag: tag } }
      : { status: 200, headers: { ETag: tag }, body };
  });

  const ending = z.object({ interaction: z.string().max(64), outcome: z.enum(endingNames) });
  route('POST', '/designer/end', async ({ body }) => {
    const { success, data } = ending.safeParse(body);
    if (!success) throw new HttpProblem(422, 'invalid', 'Send { "interaction": "…", "outcome": "success" }.');
    if (await end(data.interaction, data.outcome)) return { status: 204 };
    throw new HttpProblem(409, 'over', 'This request has ended already, or cannot be ended from here.');
  });

  if (!time) return;
  const jump = z.object({ ms: z.number().int().min(1).max(86_400_000) });
  route('POST', '/designer/advance', ({ body }) => {
    const { success, data } = jump.safeParse(body);
    if (!success) throw new HttpProblem(422, 'invalid', 'Send { "ms": 60000 }: up to a day.');
    time.advance(data.ms);
    return { status: 204 };
  });
};
