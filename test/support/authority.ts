// A token authority on loopback that signs like the Bot Connector, and publishes its keys through an OpenID metadata
// address.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';

export interface Authority {
  readonly issuer: string;
  readonly metadataUrl: string;
  /** How often the keys were read. */
  readonly reads: number;
  /** Answers requests for keys with this status from now on. */
  answer(status: number): void;
  /** A token with these claims, signed with the named key. */
  sign(claims: JWTPayload, key?: KeyName, header?: Partial<JWTHeaderParameters>): Promise<string>;
  /** Adds a key to the published ones. */
  publish(key: KeyName): void;
  close(): Promise<void>;
}

/**
 * `usual`: endorsed for no particular channel. `endorsed`: for msteams only. `secret`: never published. `next`:
 * published later.
 */
export type KeyName = 'usual' | 'endorsed' | 'secret' | 'next';

export const openAuthority = async (): Promise<Authority> => {
  const names: KeyName[] = ['usual', 'endorsed', 'secret', 'next'];
  const pairs = new Map(
    await Promise.all(names.map(async (name) => [name, await generateKeyPair('RS256', { extractable: true })] as const)),
  );
  const pairOf = (name: KeyName) => pairs.get(name) ?? assertNever();
  const told = new Map<KeyName, JWK & { endorsements?: string[] }>();
  const jwkOf = new Map(await Promise.all(names.map(async (name) => [name, await exportJWK(pairOf(name).publicKey)] as const)));
  const publish = (name: KeyName) =>
    void told.set(name, {
      ...jwkOf.get(name),
      kty: 'RSA',
      use: 'sig',
      kid: name,
      ...(name === 'endorsed' && { endorsements: ['msteams'] }),
    });
  publish('usual');
  publish('endorsed');

  let status = 200;
  let reads = 0;
  const server = createServer((req, res) => {
    const body = req.url === '/keys' ? { keys: [...told.values()] } : { issuer, jwks_uri: `${base}/keys` };
    if (req.url === '/keys') reads++;
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = 'https://api.botframework.com';
  return {
    issuer,
    metadataUrl: `${base}/metadata`,
    get reads() {
      return reads;
    },
    answer: (next) => {
      status = next;
    },
    publish,
    sign: async (claims, key = 'usual', header = {}) => {
      const full = { alg: 'RS256', kid: key, typ: 'JWT', ...header };
      const signingKey = await importJWK(await exportJWK(pairOf(key).privateKey), full.alg);
      return new SignJWT(claims).setProtectedHeader(full).sign(signingKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const assertNever = (): never => {
  throw new Error('no such key');
};
