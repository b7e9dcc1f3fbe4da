// Pages for this machine only: they show what nobody else may see, and ask nobody who they are.
import { isIP } from 'node:net';
import { HttpProblem } from '../platform/http-problem.ts';
import type { HttpRequest } from '../platform/http-server.ts';

/**
 * Only this machine, asked for by its own name: a page elsewhere whose name was made to point here (DNS rebinding) arrives under that name.
 * A proxy in front would make everybody look local, so whatever came through one is refused as well.
 * @throws {HttpProblem} 403
 */
export const refuseStrangers = ({ remoteAddress, headers }: HttpRequest, publicHost: string) => {
  const forwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  const host = hostOf(headers.host);
  const known = host !== undefined && ['localhost', '127.0.0.1', '[::1]', publicHost].includes(host);
  if (forwarded || !isLoopback(remoteAddress) || !known) {
    throw new HttpProblem(403, 'forbidden', 'This page is for the machine that the service runs on.');
  }
};

const isLoopback = (address: string) => {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
};

const hostOf = (header: string | undefined) => (header === undefined ? undefined : URL.parse(`http://${header}`)?.hostname);
