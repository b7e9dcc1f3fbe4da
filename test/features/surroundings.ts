// What the features of a bot need around it, once for all starts: the reference service, the platforms of agents, who
// signs tokens, a collector of traces, an Azure. Everything is on this machine.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { makeLog } from '../../src/platform/log.ts';
import { type RunningService, startService } from '../../src/service/index.ts';
import { makeAssertionKey } from '../../src/verification/assertion.ts';
import { startPlatform } from '../examples/platform.ts';
import { openAuthority } from '../support/authority.ts';
import { openChannel } from '../support/channel.ts';
import { startChatwoot } from '../support/chatwoot.ts';
import { startCollector } from '../support/collector.ts';
import { newDataDir } from '../support/data-dir.ts';
import { freePort } from '../support/free-port.ts';
import { makeTestProvider } from '../support/openid-provider.ts';
import { newDatabase } from '../support/postgres.ts';

export const platformKey = 'the-key-of-the-platform-in-these-tests';

const listening = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const answerJson = (answer: (path: string) => object) =>
  createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(request.url ?? '')));
  });

/** An authorization server for other agents. */
const openIssuer = async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const keys = [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: 'k' }];
  const server = answerJson((path) => (path === '/keys' ? { keys } : { issuer: address, jwks_uri: `${address}/keys` }));
  const address = await listening(server);
  return {
    address,
    tokenFor: (audience: string) =>
      new SignJWT({ sub: 'an-agent', scope: 'ask' })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(address)
        .setAudience(audience)
        .setExpirationTime('5m')
        .sign(privateKey),
    close: () => server.close(),
  };
};

export type Surroundings = Awaited<ReturnType<typeof openSurroundings>>;

/** Starts them. The bot is always at the same port, so that they know where it is. */
export const openSurroundings = async () => {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const dataDir = await newDataDir('service.db');
  const service: RunningService = await startService({ port: 0, host: '127.0.0.1', dataDir, demo: true, log: makeLog('silent') });
  const provider = await makeTestProvider({ redirectUris: [`${home}/desk/sign-in/callback`] });
  provider.say('olga', { roles: ['countersign-agent'], email: 'mara@example.com', email_verified: true, name: 'Mara' });
  await provider.start();
  const azure = answerJson(() => ({ conversationId: 'c-azure', token: 'a-token-of-azure', expires_in: 1800 }));
  const azureUrl = await listening(azure);
  const platform = await startPlatform(() => home, platformKey);
  const chatwoot = await startChatwoot(() => home);
  const collector = await startCollector();
  const authority = await openAuthority();
  const channel = await openChannel();
  const issuer = await openIssuer();
  const assertionKey = await makeAssertionKey();
  let files = 0;
  return {
    ...{ port, home, service, provider, azureUrl, platform, chatwoot, collector, authority, channel, issuer, assertionKey },
    newDatabase,
    /** The ports of hosts that the bot posts to. */
    ports: { 'smba.trafficmanager.net': Number(new URL(channel.serviceUrl).port) } as Record<string, number>,
    /** Writes a file; returns its path. */
    file: (name: string, text: string): string => {
      files += 1;
      const path = join(dataDir, `${files}-${name}`);
      writeFileSync(path, text);
      return path;
    },
    /** The same in a folder of its own; returns the folder's path. */
    folder: (name: string, text: string): string => {
      files += 1;
      const path = join(dataDir, `folder-${files}`);
      mkdirSync(path);
      writeFileSync(join(path, name), text);
      return path;
    },
    close: async () => {
      await Promise.all([service.close(), provider.stop(), platform.close(), chatwoot.close(), collector.close()]);
      await Promise.all([authority.close(), channel.close()]);
      issuer.close();
      azure.close();
      rmSync(dataDir, { recursive: true });
    },
  };
};
