// The client's options, checked once.
import type { Dispatcher } from 'undici';
import { isLoopbackHost } from '../platform/outgoing/loopback.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { type Clock, systemClock } from '../platform/time/clock.ts';
import { sleep } from '../platform/time/waits.ts';
import type { BreakerLimits } from './breaker.ts';
import type { BootstrapMode } from './request-encoding.ts';

/**
 * Wraps each call with all its attempts: sees its name and result, and may add headers. It must make the call exactly
 * once and pass on its result.
 */
export type Around = <Value>(operation: string, call: (headers?: Readonly<Record<string, string>>) => Promise<Value>) => Promise<Value>;

/** Resolves after `milliseconds`, or at once when the signal aborts. Never rejects. */
type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

/** A client's options. Only the first two are required. */
export interface ClientOptions {
  /** The service's base address, http or https. Its path prefixes every call's path. */
  readonly baseUrl: string;
  /** The account's secret key (docs/interface.md#authentication). */
  readonly secretKey: string;
  /** How bootstraps are encoded; by default `body`, as specified. */
  readonly bootstrap?: BootstrapMode;
  /** Whether the service honours `Idempotency-Key`. Only then is a send of unknown fate repeated. */
  readonly idempotent?: boolean;
  /**
   * The hosts that a returned link may lead to (`returnLink` of a send): `verify.example.com`, or with a port
   * `verify.example.com:8443`, by https. Default: the host of the base address; if that is http on this machine, also by
   * http on this machine. A link to any other is left out, as a departure.
   */
  readonly linkHosts?: readonly string[] | undefined;
  /**
   * Milliseconds: for one connection (3,000), and for a whole call with all its attempts and pauses (10,000). A send or
   * a check has that long for each attempt, and two and a half times as long in all, since a customer is waiting for
   * it.
   */
  readonly timeouts?: { readonly connect?: number; readonly call?: number };
  /** Default: 8 failed attempts in a row, and 10 seconds. */
  readonly breaker?: Partial<BreakerLimits>;
  /**
   * An undici dispatcher, for a proxy or another certificate. Its connect timeout and closing are then up to the
   * caller.
   */
  readonly dispatcher?: Dispatcher;
  readonly userAgent?: string;
  /**
   * Called when an answer departs from the interface but is usable: with the call and the paths (`customers.1.email`),
   * never the values. Unreadable values are left out, and unusable entries of lists with all their fields.
   */
  readonly onDeparture?: (operation: string, paths: readonly string[]) => void;
  /** Wraps calls, to measure or trace them. */
  readonly around?: Around;
  readonly clock?: Clock;
  /** A number from 0 up to 1, for jitter. */
  readonly random?: () => number;
  /** Waits between two attempts. */
  readonly pause?: Pause;
}

/** The options with every default filled in. */
export type ClientSettings = ReturnType<typeof readOptions>;

/** @throws {SettingsError} when the address or the key cannot be used. The message never contains the key. */
export const readOptions = (options: ClientOptions) => {
  const url = URL.parse(options.baseUrl);
  const lines = [
    ...(isBase(url) ? [] : ['baseUrl: must be an http or https address without credentials, query or fragment.']),
    ...(/^[\x21-\x7e]+$/.test(options.secretKey) ? [] : ['secretKey: must consist of visible ASCII characters.']),
    ...(/^[\x20-\x7e]*$/.test(options.userAgent ?? '') ? [] : ['userAgent: must be made of ASCII characters.']),
  ];
  if (!url || lines.length > 0) throw new SettingsError(lines);
  return {
    origin: url.origin,
    /** The base address's path, without a trailing slash. */
    prefix: url.pathname.replace(/(?<!\/)\/+$/, ''),
    headers: {
      accept: 'application/json, application/problem+json',
      authorization: `Bearer ${options.secretKey}`,
      'user-agent': options.userAgent ?? 'countersign',
    },
    bootstrap: options.bootstrap ?? 'body',
    idempotent: options.idempotent ?? false,
    /** The origins that a returned link may lead to. */
    linkOrigins: linkOriginsOf(url, options.linkHosts),
    timeouts: { connect: 3_000, call: 10_000, ...options.timeouts },
    breaker: { failures: 8, openFor: 10_000, ...options.breaker },
    dispatcher: options.dispatcher,
    onDeparture: options.onDeparture ?? (() => {}),
    around: options.around ?? ((_operation, call) => call()),
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    pause: options.pause ?? sleep,
  };
};

const linkOriginsOf = (url: URL, hosts: readonly string[] = [url.host]): readonly string[] => [
  ...hosts.flatMap((host) => URL.parse(`https://${host}`)?.origin ?? []),
  // A service that is tried out links to itself.
  ...(hosts[0] === url.host && url.protocol === 'http:' && isLoopbackHost(url.host)
    ? ['localhost', '127.0.0.1', '[::1]'].map((name) => Object.assign(new URL(url), { hostname: name }).origin)
    : []),
];

const isBase = (url: URL | null) =>
  url !== null && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === '';
