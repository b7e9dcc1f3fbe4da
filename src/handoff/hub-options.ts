// The options of a bot whose chats agents take over.
import type { OpenIdClient } from '../platform/settings/openid.ts';
import type { DeskHub } from './desk/desk-hub.ts';
import type { Hub } from './hub.ts';
import type { HandoffRules } from './rules.ts';

/** Where agents work, and which of these hubs a chat goes to. */
export interface HubOptions {
  readonly hubs: readonly Hub[];
  /** Unset: the first hub gets every chat, at any time. */
  readonly rules?: HandoffRules | undefined;
  /** The bearer token of the platform behind the hub `webhook`. Unset: its routes do not exist. */
  readonly key?: string | undefined;
  /**
   * Access for Chatwoot's callbacks, which arrive at `/chatwoot/callback/<key>` on the bot's address. Unset: what its
   * agents do is noticed within two minutes.
   */
  readonly chatwoot?:
    | {
        /** 32 letters and digits or more, the same for all processes. */
        readonly key: string;
        /** The secrets that Chatwoot signs with, one for each webhook that leads here. Unset: signatures are not checked. */
        readonly secrets?: readonly string[] | undefined;
      }
    | undefined;
  /** Access to our own desk at `/desk`, whose hub is among the hubs. */
  readonly desk?: DeskAccess | undefined;
  /** Releases what the hubs hold, once the bot is closed. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** How agents sign in to the desk. */
export interface DeskAccess {
  /** If it is not among the hubs, agents have only the panel. */
  readonly hub: DeskHub;
  /** The OpenID provider. Unset: a link that is printed at start, on this machine only. */
  readonly openId?: DeskOpenId | undefined;
  /**
   * The hub whose platform shows the desk's panel, and the only origin that may frame it: a Dashboard App of Chatwoot
   * at `/desk/panel/chatwoot`. Unset: there is none.
   */
  readonly panel?: { readonly hub: string; readonly frame: string } | undefined;
  /** Encrypts what is stored of a sign-in: any text of 32 characters or more, the same for all processes. */
  readonly key: string;
}

/** Sign-in through the operator's OpenID provider. */
export interface DeskOpenId extends OpenIdClient {
  /** Values of the role claim that make somebody an agent or a supervisor. */
  readonly agents: readonly string[];
  readonly supervisors: readonly string[];
}

/** The option of a bot whose chats agents take over. */
export interface HubsOption {
  /** The hubs. Unset: none. */
  readonly hubs?: HubOptions | undefined;
}
