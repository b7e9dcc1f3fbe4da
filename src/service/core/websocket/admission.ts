// Decides who may open a websocket: programs that use our own host name, and no page of another site.
import type { IncomingMessage } from 'node:http';
import { isLoopbackHost } from '../../../platform/outgoing/loopback.ts';

/**
 * No rule of browsers keeps a page of another site from opening a websocket: the server has to look at its Origin (RFC
 * 6455, 10.2). Programs send none. A page whose name was made to point here (DNS rebinding) is its own origin to its
 * browser, but names a Host that is not ours.
 * @param hosts - further host names, without ports
 * @returns the status and reason for refusing a handshake; `undefined`: it may continue
 */
export const makeAdmit =
  (publicUrl: () => URL, hosts: readonly string[]) =>
  ({ headers: { host, origin } }: Pick<IncomingMessage, 'headers'>) => {
    const own = publicUrl();
    if (origin !== undefined && origin !== own.origin) return '403 Forbidden';
    const name = /^[^@/?#\\]+$/.test(host ?? '') ? URL.parse(`http://${host}`)?.hostname : undefined;
    const known = isLoopbackHost(host) || name === own.hostname || hosts.some((one) => one.toLowerCase() === name);
    return known && name !== undefined ? undefined : '421 Misdirected Request';
  };
