// The connections to hubs that are reached over HTTP.
import { Agent } from 'undici';
import { postPatienceMs } from '../platform/webhook-post.ts';

/** The operator names the platform, which often stands in the same network: so no address is refused. */
export const makeHubConnections = (): Agent =>
  new Agent({
    ...{ allowH2: false, connect: { timeout: 5_000 }, connections: 8, maxResponseSize: 1024 * 1024 },
    ...{ headersTimeout: postPatienceMs, bodyTimeout: postPatienceMs },
  });
