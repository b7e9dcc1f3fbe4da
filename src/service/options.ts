// What the service is started with, and what starting it gives.
import type { ResultStatus } from '../contract/index.ts';
import type { Alarm } from '../platform/alarm.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Theme } from '../platform/theme.ts';
import type { OpenIdSettings } from './console/openid/settings.ts';
import type { ServiceLimits } from './core/limits.ts';
import type { Delivery } from './core/outbox/message.ts';
import type { Random } from './core/random.ts';
import type { Ways } from './delivery/ways.ts';
import type { SigningFiles } from './documents/signing-key.ts';
import type { GatewaySettings } from './payments/gateways/open.ts';

export interface ServiceOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** The address to listen on; `127.0.0.1` keeps it to this machine. */
  readonly host: string;
  /** The folder that the database and the secrets live in. Made when it is not there. */
  readonly dataDir: string;
  /**
   * A Postgres to use instead of the database in `dataDir`; several replicas may share it. Then `secretKey`, `pepper`
   * and `signing` must be given, alike to all of them, and `publicUrl` must lead to any.
   */
  readonly databaseUrl?: string | undefined;
  /** Where customers' devices reach the service; links begin with it. Unset: `http://localhost:<port>`. */
  readonly publicUrl?: string | undefined;
  /**
   * The names that programs reach it by beside that of `publicUrl` and those of this machine, without ports: the
   * websocket answers to no other.
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * How many proxies stand in front of it, each adding to `X-Forwarded-For` (0). The audit trail tells by it where
   * somebody came from.
   */
  readonly proxies?: number | undefined;
  /**
   * A secret key of the first account, beside those that its catalogue names. Unset: one is made on first start and
   * kept in `dataDir`.
   */
  readonly secretKey?: string | undefined;
  /**
   * What everything sealed or hashed is keyed by, never stored in the database. Unset: one is made on first start and
   * kept in `dataDir`.
   */
  readonly pepper?: string | undefined;
  /**
   * A file with the account's public key as a JWK, for zero-knowledge forms. Unset: the catalogue's; in demo mode one
   * made on first start.
   */
  readonly accountKeyFile?: string | undefined;
  /** Whether test phone numbers behave as in their table, and the outbox can be looked at. */
  readonly demo: boolean;
  /** The YAML file of accounts with their customers, products, documents and forms. Unset: the demo account's. */
  readonly catalogueFile?: string | undefined;
  /** The YAML file of the name, logo and colours of pages, for accounts that name none. Unset: the service's own. */
  readonly themeFile?: string | undefined;
  /**
   * Where the catalogue's keys are looked for that it names by environment variable. Unset: the process's own
   * environment.
   */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** The ways to customers. With none of them, the outbox, which only demo mode allows. */
  readonly ways?: Ways | undefined;
  /** The countries that SMS may go to, ISO 3166. None: all. */
  readonly smsCountries?: readonly string[] | undefined;
  /** A custom way, in place of the others. */
  readonly delivery?: Delivery | undefined;
  /** Who takes the money. Unset: the sandbox, which moves none. */
  readonly gateway?: GatewaySettings | undefined;
  /**
   * The key and certificate that signed documents are sealed with. Unset: a pair that is made on first start and kept
   * in `dataDir`.
   */
  readonly signing?: SigningFiles | undefined;
  /**
   * The OpenID provider that people sign in to the console at. Unset: by a link on this machine in demo mode, else
   * nowhere.
   */
  readonly openId?: OpenIdSettings | undefined;
  /** After how many days an entry of the console's access log is forgotten (400). */
  readonly accessLogDays?: number | undefined;
  /** After how many days a request that has ended is forgotten, with all that belongs to it (365). */
  readonly retentionDays?: number | undefined;
  /**
   * Whether a send that asks for it is answered with the link that goes to the customer's phone. Unset: only in demo
   * mode, and there only while messages stay in the outbox.
   */
  readonly returnsLinks?: boolean | undefined;
  /** Numbers to use in place of the mode's own. */
  readonly limits?: Partial<ServiceLimits> | undefined;
  readonly log: Log;
  readonly clock?: Clock | undefined;
  /** Must belong to `clock`. */
  readonly alarm?: Alarm | undefined;
  readonly random?: Random | undefined;
}

export interface RunningService {
  readonly port: number;
  /** Where programs reach the interface, without a trailing slash. */
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly secretKey: string;
  /** In whose name it writes to the first account's customers. */
  readonly theme: Theme;
  /** Where people look at sent messages; `undefined` outside demo mode. */
  readonly outboxUrl: string | undefined;
  /** Where the console is signed in at: by a link, once, or by its OpenID provider. `undefined`: there is none. */
  readonly consoleUrl: string | undefined;
  /**
   * Ends a request as that of a test number ends, for programs that try things out beside it. `false`: it is over
   * already, or there is none.
   */
  end(requestId: string, status: ResultStatus): Promise<boolean>;
  /** Resolves when nothing is being delivered or moved on and nothing is due. */
  settled(): Promise<void>;
  /** Stops accepting, lets what runs finish, and closes the database. Asked again, it is the same stop. */
  close(): Promise<void>;
}

/** What matters to the person who started it: a label, and the address. */
export const addressesOf = ({ outboxUrl, baseUrl, consoleUrl }: RunningService): (readonly [label: string, address: string])[] => [
  ...(outboxUrl ? [['outbox', outboxUrl] as const] : []),
  ['service', baseUrl],
  ...(consoleUrl ? [['console', consoleUrl] as const] : []),
];
