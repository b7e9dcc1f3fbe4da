// Which service URLs the bot may send to. Pure: it looks at the text only, before any name is resolved.

/**
 * Hosts of the Bot Framework's public cloud: the channels' connectors, and Teams (worldwide and GCC, which shares the public cloud's
 * authentication). Sources: learn.microsoft.com, "Bot Framework security FAQ" (`*.botframework.com`) and "Send proactive messages" (Teams).
 * `*.trafficmanager.net` is left out on purpose: anyone can register a name there, and would be handed our access token.
 */
const channelHosts: readonly string[] = ['smba.trafficmanager.net', 'smba.infra.gcc.teams.microsoft.com', '*.botframework.com'];

/** Tells whether activities may be sent to this service URL. */
export type ServiceUrlCheck = (serviceUrl: string) => boolean;

const longest = 500;
// Written out rather than parsed: a URL parser repairs (`https:\\host`, `2130706433`, tabs, `%2e`), and whatever it repairs is hostile here.
const path = "(?:/[A-Za-z0-9._~!$&'()*+,;=:@-]*)*";
const onTheNet = new RegExp(String.raw`^https://((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?::443)?${path}$`, 'i');
const onLoopback = new RegExp(String.raw`^http://(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?${path}$`, 'i');
const dotSegment = /\/\.{1,2}(?:\/|$)/;

/**
 * A check against a list of hosts: `name` is that host, `*.name` any host below it. Only https on port 443 by name passes: no address
 * literals, user information, query, fragment, percent-encoding or dot segments.
 */
export const onHosts = (hosts: readonly string[] = channelHosts): ServiceUrlCheck => {
  const exact = new Set(hosts.filter((host) => !host.startsWith('*.')).map((host) => host.toLowerCase()));
  const below = hosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1).toLowerCase());
  return (serviceUrl) => {
    if (serviceUrl.length > longest || dotSegment.test(serviceUrl)) return false;
    const host = onTheNet.exec(serviceUrl)?.[1]?.toLowerCase();
    return host !== undefined && (exact.has(host) || below.some((suffix) => host.endsWith(suffix)));
  };
};

/** The check for a bot without an app id: plain http on this machine, under its three usual names, and nothing else. */
export const onLoopbackOnly: ServiceUrlCheck = (serviceUrl) =>
  serviceUrl.length <= longest && !dotSegment.test(serviceUrl) && onLoopback.test(serviceUrl) && URL.canParse(serviceUrl);
