// The options of the service, and the handle to a running one.
import type { ResultStatus } from '../contract/index.ts';
import type { Theme } from '../platform/pages/theme.ts';
import type { OpenIdSettings } from './console/openid/settings.ts';
import type { ServiceLimits } from './core/limits/limits.ts';
import type { Delivery } from './core/messages/message.ts';
import type { CoreOptions } from './core/options.ts';
import type { Ways } from './delivery/open.ts';
import type { GatewaySettings } from './payments/open.ts';
import type { SigningFiles } from './pdf/signing-key.ts';

export interface ServiceOptions extends CoreOptions {
  /** The address for customers' devices; links begin with it. Unset: `http://localhost:<port>`. */
  readonly publicUrl?: string | undefined;
  /** The YAML file of accounts with their customers, products, documents and forms. Unset: the demo account's. */
  readonly catalogueFile?: string | undefined;
  /** Leaves out the catalogue's keys and webhooks, so that a test needs no secrets and calls nobody. Unset: no. */
  readonly withoutSecrets?: boolean | undefined;
  /** The YAML file of the name, logo and colours of pages, for accounts that name none. Unset: the service's own. */
  readonly themeFile?: string | undefined;
  /**
   * The environment with the keys that the catalogue names by variable. Unset: the process's.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The delivery channels. None: the outbox, which only demo mode allows. */
  readonly ways?: Ways | undefined;
  /** A custom delivery, instead of the others. */
  readonly delivery?: Delivery | undefined;
  /** The payment gateway. Unset: the sandbox, which moves no money. */
  readonly gateway?: GatewaySettings | undefined;
  /**
   * The key and certificate that seal signed documents. Unset: a pair that is generated at the first start and stored
   * in `dataDir`.
   */
  readonly signing?: SigningFiles | undefined;
  /**
   * The OpenID provider for the console. Unset: in demo mode a link on this machine signs people in, otherwise nobody
   * can.
   */
  readonly openId?: OpenIdSettings | undefined;
  /** Days after which an entry of the console's access log is deleted (400). */
  readonly accessLogDays?: number | undefined;
  /**
   * Whether a send can ask for the link that goes to the customer's phone. Unset: only in demo mode, while messages
   * stay in the outbox.
   */
  readonly returnsLinks?: boolean | undefined;
  /** Overrides of the mode's limits. */
  readonly limits?: Partial<ServiceLimits> | undefined;
}

export interface RunningService {
  readonly port: number;
  /** The address of the interface for programs, without a trailing slash. */
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly secretKey: string;
  /** The sender's name in messages to the first account's customers. */
  readonly theme: Theme;
  /** The address of the outbox; `undefined` outside demo mode. */
  readonly outboxUrl: string | undefined;
  /** The address for signing in to the console: a single-use link, or its OpenID sign-in. `undefined`: no console. */
  readonly consoleUrl: string | undefined;
  /**
   * Ends a request like that of a test number, for programs that try things out. `false`: it has already ended, or
   * does not exist.
   */
  end(requestId: string, status: ResultStatus): Promise<boolean>;
  /** Resolves when no delivery or scheduled step is running or due. */
  settled(): Promise<void>;
  /** Stops accepting, lets running work finish, and closes the database. Idempotent. */
  close(): Promise<void>;
}

/** What to print at the start: a label, and the address. */
export const addressesOf = ({ outboxUrl, baseUrl, consoleUrl }: RunningService): (readonly [label: string, address: string])[] => [
  ...(outboxUrl ? [['outbox', outboxUrl] as const] : []),
  ['service', baseUrl],
  ...(consoleUrl ? [['console', consoleUrl] as const] : []),
];
