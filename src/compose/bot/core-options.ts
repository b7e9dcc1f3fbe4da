// The options of every bot. Everything is passed in: nothing here is read from the environment.
import type { AppTitles, ChatLanguage, FormEntry, Handoff, OwnTexts } from '../../../dialogs/index.ts';
import type { BotIdentitySettings } from '../../bot/index.ts';
import type { BootstrapMode } from '../../client/index.ts';
import type { AppId } from '../../contract/index.ts';
import type { Log } from '../../platform/log.ts';
import type { Theme } from '../../platform/pages/theme.ts';
import type { SkillCaller } from '../../platform/root-bot.ts';
import type { Telemetry } from '../../platform/telemetry.ts';
import type { OwnPageTexts } from '../../web/index.ts';
import type { Limits } from './limits.ts';
import type { CloudAdapter, ConversationState, TurnContext } from './sdk.ts';

/** The service that sends requests to customers. */
export interface ServiceOptions {
  /** Its base address, for example `https://service.example.com`. */
  readonly baseUrl: string;
  /** The account's secret key. */
  readonly secretKey: string;
  /** The address of its events. Unset: `/ws` at the base address. */
  readonly wsUrl?: string | undefined;
  /** How bootstraps are encoded. Unset: `body`, as the interface says. */
  readonly bootstrap?: BootstrapMode | undefined;
  /** Whether it honours `Idempotency-Key`, so that a send of unknown fate may be repeated. Unset: no. */
  readonly idempotent?: boolean | undefined;
  /** Whether it accepts several requests on one socket (`multiplex.v1`). Unset: no. */
  readonly multiplex?: boolean | undefined;
  /** Whether it shows the two digits of a request with its message and on its page. Unset: no. */
  readonly showsCode?: boolean | undefined;
  /**
   * The hosts of its pages, `name` or `name:port`: a link that it returns is shown only if it leads there. Unset: that
   * of the base address.
   */
  readonly linkHosts?: readonly string[] | undefined;
}

/** The default address of a service's events: `/ws` at its base address. */
export const wsUrlOf = (baseUrl: string): string => `${baseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/ws`;

/** Where all state is stored: a folder with an embedded database, or a Postgres that several processes share. */
export type StoragePlace =
  | {
      /** Created if missing. For one process at a time. */
      readonly folder: string;
      readonly postgres?: string | undefined;
      readonly tokenKey?: string | undefined;
      readonly assertionKey?: string | undefined;
    }
  | {
      readonly folder?: undefined;
      /** `postgres://user:password@host:5432/database`. */
      readonly postgres: string;
      /**
       * Signs the web chat's tokens: any text of 32 characters or more, the same for all processes. With a folder, one
       * is generated and stored there.
       */
      readonly tokenKey: string;
      /**
       * Signs proofs of verification for others: a private JWK, or a set of them. With a folder, one is generated and
       * stored there; with neither, there are no proofs.
       */
      readonly assertionKey?: string | undefined;
    };

/** The options of the connection to the service, which every kind of bot needs. */
export interface ConnectionOptions {
  readonly service: ServiceOptions;
  readonly storage: StoragePlace;
  /** How long each app's requests are valid, in minutes, if the service does not say. Default: 10 to 60, by app. */
  readonly waitMinutes?: Partial<Readonly<Record<AppId, number>>> | undefined;
  /** How long finished interactions and old chats are kept, in days: 30. */
  readonly retentionDays?: number | undefined;
  /** The log. Its lines contain no personal data. Unset: warnings and errors, as JSON, to standard error. */
  readonly log?: Log | undefined;
  /** Receives metrics and traces. Unset: there are none. */
  readonly telemetry?: Telemetry | undefined;
}

/** How the dialogs speak, and how they find customers. */
export interface ConversationOptions {
  /** The available forms; the service does not list them. Unset: none, and the chat says so. */
  readonly forms?: readonly FormEntry[] | undefined;
  /** The names of the apps where they are offered, by language. Unset: our own. */
  readonly titles?: AppTitles | undefined;
  /** Apps that customers and programs cannot begin by themselves; flows and agents still can. Unset: none. */
  readonly hidden?: readonly AppId[] | undefined;
  /** The sender of messages to the customer, as the chat names it. Unset: the theme's name, if there is one. */
  readonly sender?: string | undefined;
  /** The language for customers whose own has no texts: `en`. */
  readonly locale?: ChatLanguage | undefined;
  /**
   * Texts that replace ours, by language and key: `new Map([['cards.menu.title', 'How can we help?']])`. Unset: none.
   */
  readonly texts?: OwnTexts | undefined;
  /** The region of numbers that are typed without a country code, ISO 3166: `US`. */
  readonly region?: string | undefined;
  /** Brings a person into the chat. Unset: nobody joins, and customers are told so. */
  readonly handoff?: Handoff | undefined;
  /** How customers reach a person when none can join the chat, in words for them. */
  readonly agentContact?: string | undefined;
  /**
   * How a typed number is answered. `offer`: its customers are offered with masked names. `alike`: the bot asks for the
   * number and the initials, and a hit and a miss look the same. Unset: `alike`, except for users whom the channel
   * signed in.
   */
  readonly lookupReplies?: 'offer' | 'alike' | undefined;
  /**
   * The Microsoft Entra tenants whose accounts count as signed in to Teams. Unset: none, since anybody can have an
   * account in some tenant.
   */
  readonly tenants?: readonly string[] | undefined;
  /**
   * The number whose documents and products are offered if hit and miss must look alike. Without it, customers there
   * cannot choose any.
   */
  readonly catalogueNumber?: string | undefined;
}

/** How a bot's conversations differ from ours. */
export interface Operator {
  readonly conversation?: ConversationOptions | undefined;
  /** The folder of its own cards. Unset: ours. */
  readonly cards?: string | undefined;
  /** The file with the catalogue of its service. Unset: the demo account's. */
  readonly catalogue?: string | undefined;
}

/** What every bot has: its endpoint, web chat and pages. Only `service` and `storage` are required. */
export interface CoreOptions extends ConnectionOptions, ConversationOptions {
  /** The Azure bot's identity, under the Bot Framework's names. Unset: local use only, from this machine. */
  readonly identity?: BotIdentitySettings | undefined;
  /**
   * The public address of the bot's pages, for example `https://chat.example.com`. Unset: `http://localhost:<port>`.
   */
  readonly publicUrl?: string | undefined;
  /** The number of proxies in front (0), each appending to `X-Forwarded-For`. */
  readonly proxies?: number | undefined;
  /** Name, logo, colours and links of the chat page. Unset: our own look. */
  readonly theme?: Theme | undefined;
  /** Texts that replace those on the chat page. Unset: none. */
  readonly pageTexts?: OwnPageTexts | undefined;
  /** `graph`: uses the number in a Teams user's profile. Unset: customers are asked. */
  readonly teamsPhone?: 'ask' | 'graph' | undefined;
  /** Bots that may run this one as a skill, each with its app id and the host that receives answers. Unset: none. */
  readonly skillCallers?: readonly SkillCaller[] | undefined;
  /**
   * For web chats on other sites: the secret for requesting tokens, and the origins of those sites. Unset: our own page
   * only.
   */
  readonly directLine?:
    | {
        readonly secret?: string | undefined;
        readonly origins?: readonly string[] | undefined;
      }
    | undefined;
  /** Where callers who ask for a person are transferred: `tel:+12025550100`. Unset: they are brought as from a chat. */
  readonly voice?: { readonly transferTo?: string | undefined } | undefined;
  /** Limits for one user or chat. Unset: the public's limits with an identity, this machine's without. */
  readonly limits?: Partial<Limits> | undefined;
  /** The bearer token that opens `GET /metrics`. Unset: only this machine may read it. */
  readonly metricsToken?: string | undefined;
  /** Aborts when the process is about to stop: `/readyz` answers 503 from then on. Unset: once it stops. */
  readonly leaving?: AbortSignal | undefined;
}

/** The host: the bot in which the dialogs are guests. */
export interface HostBot {
  /**
   * Its adapter. From now on it runs the turns of a conversation one after the other, since an outcome may arrive at
   * any time.
   */
  readonly adapter: Pick<CloudAdapter, 'continueConversationAsync' | 'use'>;
  /** The bot's app id; empty for local use. */
  readonly appId: string;
  /** Its conversation state. Ours is in one property of it, named `countersign`. */
  readonly conversationState: ConversationState;
  /**
   * Runs the bot's dialogs in a turn that brings an outcome, and saves their state, as the bot does for a message. The
   * turn's activity is an event, so a handler that runs dialogs for messages only must run them here too. It must not
   * throw for a conversation without open dialogs.
   */
  readonly resume: (context: TurnContext) => Promise<unknown>;
}
