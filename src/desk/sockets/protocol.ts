// The messages between the desk's page and the server, over the websocket. The page's are checked here; the server's
// are built field by field, so that nothing is sent by accident.
import { z } from 'zod';
import { appIds, phoneNumber, ref, ulid, uuid } from '../../contract/index.ts';
import type { Panel } from '../customers.ts';
import type { RunningRow } from '../running.ts';
import type { ChatEvent, Row } from '../view.ts';

/** The page's name for a question; the answer repeats it. */
const question = z.string().regex(/^[\w-]{1,64}$/);
const handoff = ulid;
const running = z.string().regex(/^[\w-]{22}$/);
const words = (most: number) => z.string().trim().min(1).max(most);

const act = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accept') }),
  /** Nobody can come: the customer is told at once. */
  z.strictObject({ kind: z.literal('decline') }),
  z.strictObject({ kind: z.literal('take') }),
  z.strictObject({ kind: z.literal('say'), id: question, text: words(4000) }),
  /** `note`: only the colleague sees it. */
  z.strictObject({ kind: z.literal('transfer'), to: words(320), note: words(500).optional() }),
  z.strictObject({ kind: z.literal('return') }),
  z.strictObject({ kind: z.literal('finish'), wrapUp: words(80) }),
  z.strictObject({
    kind: z.literal('flow'),
    id: ulid,
    flow: words(100),
    inputs: z.record(z.string().max(100), z.union([z.string().max(2000), z.number(), z.boolean()])).optional(),
  }),
  z.strictObject({ kind: z.literal('stop') }),
  /** Cancels a request that this agent has sent. */
  z.strictObject({ kind: z.literal('cancel'), id: ulid }),
  z.strictObject({
    kind: z.literal('start'),
    id: ulid,
    app: z.enum(appIds),
    phoneNumber: phoneNumber.optional(),
    customerRef: ref.optional(),
    chosen: z.union([uuid, words(200)]).optional(),
    /** The agent knows that somebody else is verified in the chat. */
    forAnother: z.boolean().default(false),
    filled: z.record(z.string().max(100), z.string().max(2000)).optional(),
  }),
]);
export type DeskAct = z.output<typeof act>;

/** A frame from the page. */
export const pageFrame = z.discriminatedUnion('type', [
  /** Subscribes to a conversation: the events after a number, and all later ones. */
  z.strictObject({ type: z.literal('watch'), id: handoff, after: z.number().int().min(0) }),
  z.strictObject({ type: z.literal('leave'), id: handoff }),
  z.strictObject({ type: z.literal('act'), ref: question, id: handoff, act }),
  /** The agent is typing. */
  z.strictObject({ type: z.literal('typing'), id: handoff }),
  /** The flows that can be started, in a language. */
  z.strictObject({ type: z.literal('flows'), ref: question, language: z.string().regex(/^[a-z]{2}$/) }),
  /** What can be sent to a conversation's customer. */
  z.strictObject({ type: z.literal('options'), ref: question, id: handoff, app: z.enum(appIds), phoneNumber: phoneNumber.optional() }),
  /** Starts or stops showing the chats that are with the bot. */
  z.strictObject({ type: z.literal('running'), on: z.boolean() }),
  /** Joins one of them. */
  z.strictObject({ type: z.literal('come'), ref: question, id: running }),
  /** The conversation to which a platform gave this name. */
  z.strictObject({ type: z.literal('find'), ref: question, place: words(100) }),
  z.strictObject({ type: z.literal('away'), away: z.boolean() }),
  z.strictObject({ type: z.literal('overview'), ref: question }),
  z.strictObject({ type: z.literal('accesses'), ref: question, before: ulid.optional() }),
  z.strictObject({ type: z.literal('sessions'), ref: question }),
  z.strictObject({ type: z.literal('end-session'), ref: question, session: z.string().max(64) }),
  z.strictObject({ type: z.literal('invite'), ref: question }),
]);
export type PageFrame = z.output<typeof pageFrame>;

/** Frames that the page also sends by itself, to refresh its figures and when it reconnects: no sign of an agent. */
export const automaticFrames: ReadonlySet<PageFrame['type']> = new Set([
  ...(['watch', 'running', 'away', 'flows', 'find', 'overview', 'accesses', 'sessions'] as const),
]);

/** An agent or supervisor at the desk. */
export const colleague = z.object({ id: z.string(), name: z.string(), role: z.enum(['agent', 'supervisor']), away: z.boolean() });
export type Colleague = Readonly<z.output<typeof colleague>>;

/** A frame from the server. */
export type DeskFrame =
  | {
      readonly type: 'welcome';
      readonly me: Colleague & { readonly email?: string };
      readonly now: number;
      readonly rows: readonly Row[];
      readonly colleagues: readonly Colleague[];
    }
  | { readonly type: 'rows'; readonly rows: readonly Row[]; readonly gone: readonly string[] }
  /** The chats with the bot that have changed; `all`: the list is complete. */
  | { readonly type: 'running'; readonly rows: readonly RunningRow[]; readonly gone: readonly string[]; readonly all?: true }
  | { readonly type: 'colleagues'; readonly colleagues: readonly Colleague[] }
  | { readonly type: 'happened'; readonly id: string; readonly events: readonly ChatEvent[] }
  /** The customer is typing. */
  | { readonly type: 'typing'; readonly id: string }
  | { readonly type: 'panel'; readonly id: string; readonly panel: Panel }
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'answer'; readonly ref: string; readonly value?: unknown; readonly refused?: string };
