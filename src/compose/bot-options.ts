// What a bot is made of. Everything is handed over: nothing here is read from the environment.
import type { AppTitles, ChatLanguage, FormEntry } from '../../dialogs/index.ts';
import type { BotIdentitySettings } from '../bot/index.ts';
import type { BootstrapMode } from '../client/index.ts';
import type { AppId } from '../contract/index.ts';
import type { Handoff, HandoffRules, Hub } from '../handoff/index.ts';
import type { Log } from '../platform/log.ts';
import type { Telemetry } from '../platform/telemetry.ts';
import type { Theme } from '../platform/theme.ts';
import type { Limits } from './limits.ts';
import type { CloudAdapter, ConversationState, TurnContext } from './sdk.ts';

/** The service that sends requests to customers. */
export interface ServiceOptions {
  /** Its base address, for example `https://service.example.com`. */
  readonly baseUrl: string;
  /** The account's secret key. */
  readonly secretKey: string;
  /** Where its events are. Unset: `/ws` at the base address. */
  readonly wsUrl?: string | undefined;
  /** How bootstraps travel; `body`, as the interface says, unless told. */
  readonly bootstrap?: BootstrapMode | undefined;
  /** Known to honour `Idempotency-Key`, so that a send whose fate is unknown may go out again. Unset: no. */
  readonly idempotent?: boolean | undefined;
  /** Known to take several requests on one socket (`multiplex.v1`). Unset: no. */
  readonly multiplex?: boolean | undefined;
  /** Known to show the two digits of a request with its message and on its page. Unset: no. */
  readonly showsCode?: boolean | undefined;
}

/** Where everything that lasts is kept: a folder with an embedded database, or a Postgres that several processes share. */
export type StoragePlace =
  | {
      /** Made where it is missing. One process at a time. */
      readonly folder: string;
      readonly postgres?: string | undefined;
      readonly tokenKey?: string | undefined;
      readonly assertionKey?: string | undefined;
    }
  | {
      readonly folder?: undefined;
      /** `postgres://user:password@host:5432/database`. */
      readonly postgres: string;
      /** Signs the web chat's tokens: any text of 32 characters or more, the same for all processes. With a folder one is made and kept there. */
      readonly tokenKey: string;
      /** Signs what proves to others who is verified: a private JWK, or a set of them. With a folder one is made and kept there; with neither nothing is proved. */
      readonly assertionKey?: string | undefined;
    };

/** What the connection to the service needs, whichever bot stands on it. */
export interface ConnectionOptions {
  readonly service: ServiceOptions;
  readonly storage: StoragePlace;
  /** How long each app's requests are good, in minutes, where the service does not tell: 10 to 60, by app. */
  readonly waitMinutes?: Partial<Readonly<Record<AppId, number>>> | undefined;
  /** How long what is over is kept, in days: 30. */
  readonly retentionDays?: number | undefined;
  /** Where log lines go. They hold no personal data. Unset: warnings and errors, as JSON, to standard error. */
  readonly log?: Log | undefined;
  /** Who watches it: numbers and traces. Unset: nobody. */
  readonly telemetry?: Telemetry | undefined;
}

/** How the dialogs speak, and whom they find. */
export interface ConversationOptions {
  /** The forms that can be sent; the service lists none. Unset: none, and the chat says so. */
  readonly forms?: readonly FormEntry[] | undefined;
  /** What the apps are called where they are offered, by language. Unset: in our words. */
  readonly titles?: AppTitles | undefined;
  /** In whose name messages reach the customer, as the chat tells it. Unset: the theme's name, where there is one. */
  readonly sender?: string | undefined;
  /** Spoken where the customer's language has no texts: `en`. */
  readonly locale?: ChatLanguage | undefined;
  /** Region of numbers that are typed without a country code, ISO 3166: `US`. */
  readonly region?: string | undefined;
  /** Brings a person into the chat. Unset: nobody comes, and customers are told so. */
  readonly handoff?: Handoff | undefined;
  /** How a person is reached where none comes into the chat: words for the customer. */
  readonly agentContact?: string | undefined;
  /**
   * How a typed number is answered. `offer`: the number's customers are offered, masked. `alike`: the number and the initials are asked for, and a hit and a miss
   * look the same. Unset: `alike`, but for users whom the channel signed in.
   */
  readonly lookupReplies?: 'offer' | 'alike' | undefined;
  /** The Microsoft Entra tenants whose accounts count as signed in to Teams. Unset: none; anybody can have an account of some organisation. */
  readonly tenants?: readonly string[] | undefined;
  /** The number whose documents and products are offered to those who are answered alike. Without it they cannot choose any. */
  readonly catalogueNumber?: string | undefined;
}

/** Where people sit, and which of them a chat goes to. */
export interface HubOptions {
  readonly hubs: readonly Hub[];
  /** Unset: the first hub takes everything, at any time. */
  readonly rules?: HandoffRules | undefined;
  /** Opens the way back for the platform of the hub `webhook`, as a bearer token. */
  readonly key?: string | undefined;
  /** Lets go of what the hubs hold, once the bot is closed. */
  readonly close?: (() => Promise<void>) | undefined;
}

/** A whole bot, with its endpoint, web chat and pages. Only `service` and `storage` are needed. */
export interface BotOptions extends ConnectionOptions, ConversationOptions {
  /** The Azure bot's identity, by the names that the Bot Framework gives it. Unset: local use only, for this machine. */
  readonly identity?: BotIdentitySettings | undefined;
  /** Where the public finds the bot's pages, for example `https://chat.example.com`. Unset: `http://localhost:<port>`. */
  readonly publicUrl?: string | undefined;
  /** How many proxies stand in front: 0. Each adds to `X-Forwarded-For`. */
  readonly proxies?: number | undefined;
  /** Name, logo, colours and links of the chat page. Unset: our own look. */
  readonly theme?: Theme | undefined;
  /** `graph`: the number in a Teams user's profile is taken. Unset: it is asked for. */
  readonly teamsPhone?: 'ask' | 'graph' | undefined;
  /** For web chats on other sites: what they ask tokens with, and which origins they are. Unset: only our own page. */
  readonly directLine?: { readonly secret?: string | undefined; readonly origins?: readonly string[] | undefined } | undefined;
  /** The hubs at which people sit who take chats over. Unset: none. */
  readonly hubs?: HubOptions | undefined;
  /** How much one user or chat may do. Unset: the public's limits with an identity, this machine's without. */
  readonly limits?: Partial<Limits> | undefined;
  /** Opens `GET /metrics`, as a bearer token. Unset: only this machine may ask. */
  readonly metricsToken?: string | undefined;
}

/** The bot that the dialogs are guests of. */
export interface HostBot {
  /** Its adapter. It runs the turns of a conversation one after the other from now on: an outcome may arrive at any time. */
  readonly adapter: Pick<CloudAdapter, 'continueConversationAsync' | 'use'>;
  /** The bot's app id; empty for local use. */
  readonly appId: string;
  /** Where it keeps what belongs to a conversation. A property of ours is in it, named `countersign`. */
  readonly conversationState: ConversationState;
  /**
   * Runs the bot's dialogs in a turn that brings an outcome, and saves their state: what the bot does with a message. The turn's activity is an
   * event, so a handler that runs dialogs for messages only has to run them here too. Never throws for a conversation without open dialogs.
   */
  readonly resume: (context: TurnContext) => Promise<unknown>;
}
