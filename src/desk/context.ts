// What the parts of the desk work with.
import type { DeskHub, DeskOpenId, HandoffStore, HandoffsEngine } from '../handoff/index.ts';
import type { Interactions } from '../interactions/index.ts';
import type { Bus } from '../platform/database/bus.ts';
import type { HttpServer } from '../platform/http/http-server.ts';
import type { Log } from '../platform/log.ts';
import type { Theme } from '../platform/pages/theme.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { BotStateStore } from '../storage/index.ts';
import type { makeDeskStore } from './desk-store.ts';

/** A flow that an agent can start. */
export interface DeskFlow {
  readonly flow: string;
  readonly title: string;
  readonly description?: string;
  /** Its inputs, by the designer's names and types. */
  readonly asks: readonly { readonly name: string; readonly type: string; readonly choices?: readonly string[] }[];
}

export interface DeskContext {
  readonly http: HttpServer;
  readonly hub: DeskHub;
  readonly agents: HandoffsEngine;
  readonly handoffs: HandoffStore;
  /** Lists the chats that are with the bot. */
  readonly chats: Pick<BotStateStore, 'running'>;
  readonly store: ReturnType<typeof makeDeskStore>;
  readonly interactions: Pick<Interactions, 'inConversation' | 'lookup'>;
  /** The available forms: the service does not list them. */
  readonly forms: readonly { readonly id: string; readonly title: Readonly<Record<string, string>> }[];
  /** Whether the service shows a number on its pages that the customer compares with the chat's. */
  readonly showsCode?: boolean | undefined;
  /** The flows that can be started, in a language. */
  readonly flows: (language: string) => readonly DeskFlow[];
  readonly bus: Bus;
  /** How long (ms) an agent who has a chat may be away from the desk. */
  readonly absentMs: number;
  /** Unset: sign-in by a link that is printed at start, on this machine only. */
  readonly openId?: DeskOpenId | undefined;
  /** Encrypts what the provider says about people; the same on all replicas. */
  readonly key: string;
  /** The hub of the platform that shows the panel, and that platform's origin, which alone may frame it. */
  readonly panel?: { readonly hub: string; readonly frame: string } | undefined;
  readonly publicUrl?: string | undefined;
  readonly proxies: number;
  readonly theme?: Theme | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
}
