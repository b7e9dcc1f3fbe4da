// The HTTP connections to hubs.
import { Agent } from 'undici';
import { postPatienceMs } from '../platform/outgoing/webhook-post.ts';

/** The operator names the platform, which is often in the same network, so no address is refused. */
export const makeHubConnections = (): Agent =>
  new Agent({
    ...{ allowH2: false, connect: { timeout: 5_000 }, connections: 8, maxResponseSize: 1024 * 1024 },
    ...{ headersTimeout: postPatienceMs, bodyTimeout: postPatienceMs },
  });
