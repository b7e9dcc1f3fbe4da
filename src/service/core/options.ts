// The options of the core, and what is made of those that name files.

import type { Log } from '../../platform/log.ts';
import type { TelemetrySettings } from '../../platform/open-telemetry.ts';
import type { Theme } from '../../platform/pages/theme.ts';
import type { Alarm, Clock } from '../../platform/time/clock.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { ServiceLimits } from './limits/limits.ts';
import type { Random } from './secrets/random.ts';

export interface CoreOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** The address to listen on; `127.0.0.1` keeps it to this machine. */
  readonly host: string;
  /** The folder of the database and the secrets. Created if missing. */
  readonly dataDir: string;
  /**
   * A Postgres to use instead of the database in `dataDir`; several replicas may share it. Then `secretKey`, `pepper`
   * and `signing` are required, the same for all, and `publicUrl` must reach any of them.
   */
  readonly databaseUrl?: string | undefined;
  /**
   * The host names, without ports, by which programs reach it besides those of `publicUrl` and this machine: the
   * websocket accepts no other.
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * The number of proxies in front, each of which adds to `X-Forwarded-For` (0). With it the audit trail names the
   * client's network.
   */
  readonly proxies?: number | undefined;
  /** Where traces go, by OpenTelemetry's standard variables. Unset: nowhere. */
  readonly tracing?: TelemetrySettings | undefined;
  /** The bearer token of whoever reads `/metrics`. Unset: only this machine may. */
  readonly metricsToken?: string | undefined;
  /**
   * A secret key of the first account, besides those in its catalogue. Unset: one is generated at the first start and
   * stored in `dataDir`.
   */
  readonly secretKey?: string | undefined;
  /**
   * The key for all sealing and hashing, never stored in the database. Unset: one is generated at the first start and
   * stored in `dataDir`.
   */
  readonly pepper?: string | undefined;
  /**
   * A file with the account's public key as a JWK, for zero-knowledge forms. Unset: the catalogue's; in demo mode, one
   * generated at the first start.
   */
  readonly accountKeyFile?: string | undefined;
  /** Whether test phone numbers behave as in their table, and the outbox can be looked at. */
  readonly demo: boolean;
  /** The countries that SMS may go to, ISO 3166. None: all. */
  readonly smsCountries?: readonly string[] | undefined;
  /** Days after its end at which a request is deleted with everything that belongs to it (365). */
  readonly retentionDays?: number | undefined;
  /** Aborts when the process is about to stop: `/readyz` answers 503 from then on. */
  readonly leaving?: AbortSignal | undefined;
  readonly log: Log;
  readonly clock?: Clock | undefined;
  /** Must belong to `clock`. */
  readonly alarm?: Alarm | undefined;
  readonly random?: Random | undefined;
}

/** What is read and checked before anything is opened. */
export interface Prepared {
  /** The accounts of the catalogue. */
  readonly loaded: readonly Catalogue[];
  /** The theme of pages whose account has none; unset: the service's own. */
  readonly theme: Theme | undefined;
  /** The address for devices; unset: this machine, at the port that the service gets. */
  readonly configuredUrl: URL | undefined;
  readonly limits: ServiceLimits;
  /** Whether links are returned to accounts that ask for them. */
  readonly returnsLinks: boolean;
}
