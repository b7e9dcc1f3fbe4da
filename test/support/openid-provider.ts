// An OpenID provider in this process: people sign in by a click, and tests change its answers.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Adapter, AdapterPayload, Configuration } from 'oidc-provider';
import type { OpenIdSettings } from '../../src/service/index.ts';
import { freePort } from './free-port.ts';

/** The people it knows, with their claims. */
export const people = {
  olga: { roles: ['countersign-operator', 'payroll'], email: 'olga.berg@example.com', email_verified: true, name: 'Olga Berg' },
  victor: { roles: ['countersign-viewer'], preferred_username: 'victor', email: 'canary@example.com', email_verified: false },
  nora: { roles: ['payroll'], name: 'Nora Example' },
} as const;
export type PersonName = keyof typeof people;

export interface TestProvider {
  readonly issuer: string;
  /** The service's registration. */
  readonly settings: OpenIdSettings;
  /** How often its metadata was read. */
  readonly asked: () => number;
  /** Changes its claims about somebody from now on. `undefined`: it no longer knows them. */
  say(who: PersonName, claims: Readonly<Record<string, unknown>> | undefined): void;
  /** Changes the token endpoint's answers from now on. */
  tamper(change: (answer: Record<string, unknown>) => void): void;
  start(): Promise<void>;
  /** Takes it down, keeping its data. */
  stop(): Promise<void>;
}

export interface TestProviderOptions {
  /** Where it redirects back to. */
  readonly redirectUris: readonly string[];
  /**
   * This machine's name in its addresses (127.0.0.1), different from the service's, so that browsers see another site.
   */
  readonly host?: string;
  /** Whether ID tokens are small, with further claims at the userinfo endpoint only. */
  readonly spare?: boolean;
  /** Whether it issues refresh tokens, each valid once. */
  readonly refreshing?: boolean;
  /** Seconds that what it issues is valid. */
  readonly ttl?: number;
}

const secret = 'a-client-secret-with/odd+characters=and-32-or-more';

export const makeTestProvider = async ({ redirectUris, ...options }: TestProviderOptions): Promise<TestProvider> => {
  const { host = '127.0.0.1', spare = false, refreshing = false, ttl = 600 } = options;
  const { default: Provider } = await import('oidc-provider');
  const kept = new Map<string, AdapterPayload>();
  const said = new Map<string, Readonly<Record<string, unknown>>>(Object.entries(people));
  const port = await freePort();
  const issuer = `http://${host}:${port}`;
  const client = (client_id: string) => ({
    client_id,
    client_secret: secret,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', ...(refreshing ? ['refresh_token'] : [])],
  });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const configuration = {
    adapter: (kind: string) => makeAdapter(kind, kept),
    clients: [client('console'), client('another')],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'roles'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: spare,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = page(`<h1>Sign out?</h1>${form}<button form="op.logoutForm" name="logout" value="yes">Yes</button>`);
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = page('<h1>Signed out everywhere</h1>');
        },
      },
    },
    renderError: (ctx, out) => {
      ctx.body = page(`<h1>${out.error}</h1>`);
    },
    findAccount: (_ctx, sub) => {
      const own = said.get(sub);
      return own && { accountId: sub, claims: () => ({ sub, ...own }) };
    },
    issueRefreshToken: async () => refreshing,
    rotateRefreshToken: true,
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // No consent page: the console belongs to the same organisation.
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client?.clientId, accountId: ctx.oidc.session?.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
    ttl: { AccessToken: ttl, AuthorizationCode: 60, Grant: ttl, IdToken: ttl, Interaction: ttl, RefreshToken: ttl, Session: ttl },
  } satisfies Configuration;
  const provider = new Provider(issuer, configuration);
  let change = (_answer: Record<string, unknown>) => {};
  let asked = 0;
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/.well-known/')) asked += 1;
    await next();
    if (ctx.path === '/token' && ctx.status === 200) change(ctx.body as Record<string, unknown>);
  });

  const answer = provider.callback();
  const open = () =>
    createServer(async (req, res) => {
      if (!req.url?.startsWith('/interaction/')) return answer(req, res);
      if (req.method === 'GET') {
        const buttons = [...Object.keys(people), 'cancel'].map((name) => `<button name="who" value="${name}">${name}</button>`);
        res.setHeader('Content-Type', 'text/html');
        return res.end(page(`<h1>Who are you?</h1><form method="post">${buttons.join(' ')}</form>`));
      }
      let body = '';
      for await (const chunk of req) body += chunk;
      const who = new URLSearchParams(body).get('who') ?? 'cancel';
      const denied = { error: 'access_denied', error_description: 'somebody thought better of it' };
      return provider.interactionFinished(req, res, who === 'cancel' ? denied : { login: { accountId: who } });
    });
  let server: Server | undefined;

  return {
    issuer,
    settings: {
      issuer,
      clientId: 'console',
      clientSecret: secret,
      scopes: 'openid profile email',
      roleClaim: 'roles',
      operators: ['countersign-operator'],
      viewers: ['countersign-viewer'],
    },
    asked: () => asked,
    say: (who, claims) => void (claims ? said.set(who, claims) : said.delete(who)),
    tamper: (given) => {
      change = given;
    },
    start: () =>
      new Promise((resolve) => {
        server = open().listen(port, '127.0.0.1', resolve);
      }),
    stop: () =>
      new Promise((resolve) => {
        if (!server) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
        server = undefined;
      }),
  };
};

/** The provider's memory, in this process. */
const makeAdapter = (kind: string, kept: Map<string, AdapterPayload>): Adapter => {
  const under = (id: string) => kept.get(`${kind} ${id}`);
  return {
    upsert: async (id, payload) => void kept.set(`${kind} ${id}`, payload),
    find: async (id) => under(id),
    findByUid: async (uid) => [...kept.values()].find((payload) => payload.kind === kind && payload.uid === uid),
    findByUserCode: async () => undefined,
    consume: async (id) => void Object.assign(under(id) ?? {}, { consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id) => void kept.delete(`${kind} ${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [key, payload] of kept) if (payload.grantId === grantId) kept.delete(key);
    },
  };
};

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Provider</title><meta name="viewport" content="width=device-width"></head><body>${body}</body></html>`;
