// Which addresses a customer may be sent to.

/** Names of this machine, which nobody else can answer to: what a service that is tried out here links to. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address if it shows where it leads (no credentials in front of the host) and is an https one, or an http one of this machine; else
 * `undefined`.
 */
export const safeLink = (address: string | undefined): string | undefined => {
  if (address === undefined || address.length > 2000 || !URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password, href } = new URL(address);
  const safe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  return safe && username === '' && password === '' ? href : undefined;
};
