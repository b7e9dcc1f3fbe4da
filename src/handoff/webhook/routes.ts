// The platform's routes at the bot: what its agents do in a chat, over HTTP, authenticated by a key for this purpose
// only.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { networkOf } from '../../platform/http/client-address.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { HttpRequest, HttpServer } from '../../platform/http/http-server.ts';
import { limitRate } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import { faultFields } from '../../platform/log.ts';
import { rates } from '../../platform/rates.ts';
import { sameBytes } from '../../platform/secrets/sealing.ts';
import { describeIssues, plainly } from '../../platform/settings/issues.ts';
import type { VerificationState } from '../../verification/index.ts';
import type { ActRefusal, ActResult } from '../agent-act.ts';
import type { HandoffsEngine } from '../handoffs.ts';
import type { HandoffRecord, HubEvent } from '../record.ts';
import { describeOperations } from './openapi.ts';
import { operations, type PlatformOperation, refusals } from './operations.ts';
import { handoffView, payloadOf } from './webhook-hub.ts';

/** The hub whose platform has the key. */
const hub = 'webhook';

/** Handoffs in a list, and events per page. */
const most = 100;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** `key`: the bearer token that the platform sends; `publicUrl`: the bot's address, for the OpenAPI document. */
export const addHandoffRoutes = (
  http: Pick<HttpServer, 'route'>,
  agents: HandoffsEngine,
  { key, publicUrl, log }: { readonly key: string; readonly publicUrl: string | undefined; readonly log: Log },
): void => {
  const digest = sha256(key);
  const takeCall = limitRate(rates.calls, 'too_many_requests', 'Too many requests. Please wait a moment.');
  const takeStranger = limitRate(rates.strangers, 'too_many_requests', 'Too many requests without the key. Please wait a moment.');

  const authenticate = async ({ clientAddress, headers }: HttpRequest) => {
    const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (given !== undefined && sameBytes(sha256(given), digest)) return takeCall(hub);
    await takeStranger(networkOf(clientAddress));
    throw new HttpProblem(401, 'unauthorized', 'Send the key as Authorization: Bearer.', { headers: { 'WWW-Authenticate': 'Bearer' } });
  };

  const find = async ({ id = '' }: HttpRequest['params']): Promise<HandoffRecord> => {
    const handoff = /^[0-9A-HJKMNP-TV-Z]{26}$/.test(id) ? await agents.of(hub, id) : undefined;
    if (!handoff) throw new HttpProblem(404, 'not_found', 'There is no such handoff.');
    return handoff;
  };

  const eventOf = async (event: HubEvent, handoff: HandoffRecord) => {
    const { verification } = event.data as { verification?: VerificationState };
    return payloadOf(event, handoff, await agents.prove(handoff, verification));
  };

  const act = async (handoff: HandoffRecord, operation: PlatformOperation, input: unknown) => {
    // The agent who acts, if the platform names one.
    const { agentId } = input as { readonly agentId?: string };
    const result = await agents.act(handoff, operation.act(input as never), agentId).catch((fault: unknown) => {
      log.warn({ ...faultFields(fault), component: 'handoff', operation: operation.name }, 'an agent’s act did not reach its chat');
      throw new HttpProblem(502, 'chat_unreachable', 'The chat cannot be reached now. Please try again with the same body.', {
        headers: { 'Retry-After': '5' },
      });
    });
    if ('refused' in result) throw refused(result);
    const now = (await agents.of(hub, handoff.id)) ?? handoff;
    return { handoff: handoffView(now), ...(result.interaction && { interaction: result.interaction }) };
  };

  const route = (method: 'GET' | 'POST', path: string, answer: (request: HttpRequest) => Promise<object>) =>
    http.route(method, path, async (request) => {
      await authenticate(request);
      return { status: 200, body: await answer(request) };
    });

  http.route('GET', '/handoff/openapi.json', () => ({ status: 200, body: describeOperations(publicUrl) }));
  route('GET', '/handoff', async () => ({ handoffs: (await agents.list(hub, most)).map(handoffView) }));
  route('GET', '/handoff/:id', async ({ params }) => ({ handoff: handoffView(await find(params)) }));
  route('GET', '/handoff/:id/events', async ({ params, query }) => {
    const handoff = await find(params);
    const after = parse(z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER), query.get('after') ?? '0', 'after');
    const stored = await agents.events(handoff.id, after, most + 1);
    const events = await Promise.all(stored.slice(0, most).map((event) => eventOf(event, handoff)));
    return { events, more: stored.length > most };
  });
  for (const operation of operations)
    route('POST', `/handoff/:id/${operation.name}`, async ({ body = {}, params }) =>
      act(await find(params), operation, parse(operation.request, body)),
    );
};

/** @throws {HttpProblem} 422 with the fields at fault. */
const parse = <Schema extends z.ZodType>(schema: Schema, given: unknown, name?: string): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(given, { error: plainly });
  if (success) return data;
  const errors = describeIssues(error).map(({ path, message }) => ({ path: [name, path].filter(Boolean).join('.'), message }));
  throw new HttpProblem(422, 'invalid_request', 'The request is invalid.', { errors });
};

const refused = ({ choices, refused: why }: Extract<ActResult, { refused: ActRefusal }>) => {
  const { status, detail } = refusals[why];
  return new HttpProblem(status, why, detail, choices && { more: { choices } });
};
