// Hostile requests to the service: its interface, its device pages, its console, its gateways' addresses.
import { appIds } from '../../src/contract/index.ts';
import type { Chance } from '../faults/random.ts';
import { sendBody } from '../support/sends.ts';
import { type Attack, badBody, json, junk, type Kind, ofBodies, plainJunk, tokenLike } from './attack.ts';

const operations: readonly (readonly [string, string])[] = [
  ...appIds.flatMap((app) => [['POST', `/${app}/bootstrap`] as const, ['POST', `/${app}/send`] as const]),
  ['POST', '/one-time-passcode/check'],
  ['GET', '/results/01KAH5Z0V8Q2J9XW3N4M5P6R7S'],
  ['GET', '/requests/01KAH5Z0V8Q2J9XW3N4M5P6R7S'],
  ['GET', '/requests/01KAH5Z0V8Q2J9XW3N4M5P6R7S/audit'],
  ['POST', '/requests/01KAH5Z0V8Q2J9XW3N4M5P6R7S/cancel'],
  ['POST', '/requests/01KAH5Z0V8Q2J9XW3N4M5P6R7S/resend'],
  ['GET', '/webhooks/dead'],
];
const sends = appIds.map((app) => [`/${app}/send`, sendBody(app)] as const);
/** What stands in no field of a send. */
const wrong: readonly ((chance: Chance) => unknown)[] = [
  () => 7,
  () => ({}),
  () => true,
  () => -1e308,
  () => 'x'.repeat(3000),
  () => [[[]]],
  (chance) => ({ [junk(chance)]: junk(chance) }),
];

const at = 'service' as const;
const refused = [400, 401, 403, 404, 405, 410, 413, 415, 421, 422, 429] as const;

const withoutKey: Kind = (chance, { secretKey }) => {
  const [method, path] = chance.pick(operations);
  const authorization = chance.pick([
    undefined,
    'Bearer',
    'Bearer ',
    `Bearer ${tokenLike(chance)}`,
    `Bearer ${secretKey}x`,
    `Bearer ${secretKey.slice(0, -1)}`,
    `Basic ${Buffer.from(`:${secretKey}`).toString('base64')}`,
    `Bearer ${secretKey.toUpperCase()}`,
    `Bearer ${tokenLike(chance, 4000)}`,
    plainJunk(chance),
  ]);
  const { body, headers } = method === 'POST' ? badBody(chance, 1000) : { body: undefined, headers: {} };
  return {
    at,
    method,
    path,
    headers: { ...headers, ...(authorization !== undefined && { authorization }) },
    ...(body !== undefined && { body, cut: true }),
    answers: [401],
  };
};

const withBadBody: Kind = (chance, { secretKey }) => {
  const [, path] = chance.pick(operations.filter(([, path]) => /\/(?:bootstrap|send|check)$/.test(path)));
  const { headers, ...rest } = badBody(chance, 64 * 1024);
  return { at, method: 'POST', path, headers: { ...headers, authorization: `Bearer ${secretKey}` }, ...rest, answers: ofBodies };
};

const withBadField: Kind = (chance, { secretKey }) => {
  const [path, body] = chance.pick(sends);
  const field = chance.pick([...Object.keys(body), 'unknown\u0000field']);
  const changed = { ...body, [field]: chance.pick(wrong)(chance) };
  return {
    at,
    method: 'POST',
    path,
    headers: { ...json, authorization: `Bearer ${secretKey}` },
    body: JSON.stringify(changed),
    answers: [422],
  };
};

const ofUnknownRequest: Kind = (chance, { secretKey }) => {
  const [method, path] = chance.pick([
    ['GET', '/results/:id'],
    ['GET', '/requests/:id'],
    ['GET', '/requests/:id/audit'],
    ['GET', '/requests/:id/audit.pdf'],
    ['POST', '/requests/:id/cancel'],
    ['POST', '/requests/:id/resend'],
    ['POST', '/webhooks/dead/:id/retry'],
  ] as const);
  const id = chance.happens(0.5)
    ? plainJunk(chance)
    : `01${tokenLike(chance, 24)
        .toUpperCase()
        .replace(/[^0-9A-HJKMNP-TV-Z]/g, '0')}`;
  return { at, method, path: path.replace(':id', id), headers: { authorization: `Bearer ${secretKey}` }, answers: [400, 404, 405, 422] };
};

const withBadKeyOfSend: Kind = (chance, { secretKey }) => {
  const [path, body] = chance.pick(sends);
  const headers = {
    ...json,
    authorization: `Bearer ${secretKey}`,
    'idempotency-key': chance.pick(['a b', 'x'.repeat(256), '\u00e9', ' \t x y']),
  };
  return { at, method: 'POST', path, headers, body: JSON.stringify(body), answers: [400] };
};

const atUnknownAddress: Kind = (chance) => ({
  at,
  method: chance.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']),
  path: chance.pick([
    `/${plainJunk(chance)}`,
    `/../../${plainJunk(chance)}`,
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%zz',
    '/.env',
    '/.git/config',
    '/payments/send/..%2f..%2f',
    `/assets/${plainJunk(chance)}.js`,
    `/${'a/'.repeat(chance.between(1, 500))}`,
    `/${'x'.repeat(chance.between(1000, 8000))}`,
    '/payments',
    `//${plainJunk(chance)}//`,
  ]),
  answers: [400, 404, 405],
});

const byAnotherMethod: Kind = (chance) => {
  const [method, path] = chance.pick(operations);
  // A bootstrap may be asked for with GET as well.
  const posted = method === 'POST' && !path.endsWith('/bootstrap');
  return { at, method: chance.pick(['PUT', 'PATCH', 'DELETE', ...(posted ? ['GET', 'HEAD'] : [])]), path, answers: [405] };
};

const byAnotherLink: Kind = (chance) => {
  const token = chance.happens(0.3) ? plainJunk(chance) : tokenLike(chance);
  const place = chance.pick(['r', 'documents', 'checkout', 'sandbox', 'console/sign-in']);
  const tail = place === 'r' ? chance.pick(['', '', '/passkey', '/passkey/given-up', '/nothing']) : '';
  const get: Attack = { at, method: 'GET', path: `/${place}/${token}${tail}`, answers: [400, 404, 405, 410] };
  if (chance.happens(0.5) || place === 'documents') return get;
  const form = chance.happens(0.5);
  const { headers, ...rest } = form
    ? {
        body: `decision=${plainJunk(chance)}&${plainJunk(chance)}=${plainJunk(chance)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }
    : badBody(chance, 32 * 1024);
  return { ...get, method: 'POST', headers, ...rest, answers: refused };
};

/** The one link that is good, used by another site, or with what its page never posts. */
const byForeignPage: Kind = (chance, { linkPath }) => {
  const foreign = chance.pick<Readonly<Record<string, string>>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': junkHeader(chance) },
    { origin: 'https://evil.example' },
    { origin: 'http://localhost.evil.example' },
  ]);
  const path = `${linkPath}${chance.pick(['', '/opened', '/started'])}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...foreign };
  return { at, method: 'POST', path, headers, body: 'decision=accept', answers: [403] };
};

const junkHeader = (chance: Chance) => `x${tokenLike(chance, 10)}`;

const byBadPost: Kind = (chance, { linkPath }) => {
  const choice = chance.pick<Pick<Attack, 'body' | 'cut' | 'headers'>>([
    { body: `decision=accept&${'x'.repeat(33 * 1024)}`, headers: { 'content-type': 'application/x-www-form-urlencoded' }, cut: true },
    { body: nestedObject, headers: json },
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    { body: '{', headers: json },
    { body: 'x', headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' } },
  ]);
  return { at, method: 'POST', path: linkPath, ...choice, answers: [400, 413, 415] };
};
const nestedObject = `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`;

const atConsole: Kind = (chance) => ({
  at,
  method: chance.pick(['GET', 'POST']),
  path: `/console${chance.pick(['', '/requests', '/customers', '/requests/x/cancel', '/accesses', '/sign-out', `/${plainJunk(chance)}`])}`,
  headers: { cookie: `${chance.pick(['__Host-console', 'console', junkHeader(chance)])}=${tokenLike(chance)}` },
  answers: [400, 401, 403, 404, 405],
});

const asGateway: Kind = (chance) => ({
  at,
  method: 'POST',
  path: `/webhooks/${chance.pick(['sandbox', 'stripe', 'http', plainJunk(chance)])}`,
  headers: {
    ...json,
    'webhook-id': tokenLike(chance, 20),
    'webhook-timestamp': chance.pick(['0', String(Math.floor(Date.now() / 1000)), 'x', '9'.repeat(40)]),
    'webhook-signature': `v1,${tokenLike(chance, 43)}=`,
  },
  body: badBody(chance, 1000).body,
  answers: [400, 404],
});

const underAnotherName: Kind = (chance) => ({
  at,
  method: 'GET',
  path: chance.pick(['/outbox', '/outbox/messages', '/console']),
  headers: chance.pick<Record<string, string>>([
    { host: 'evil.example' },
    { 'x-forwarded-for': '10.0.0.1' },
    { forwarded: 'for=10.0.0.1' },
  ]),
  answers: [403],
});

/** How often each kind comes, and the kind. */
export const attacksOnService: Readonly<Record<string, readonly [number, Kind]>> = {
  'an operation without its key': [12, withoutKey],
  'an operation with a bad body': [12, withBadBody],
  'a send with a bad field': [12, withBadField],
  'an unknown request': [6, ofUnknownRequest],
  'a bad idempotency key': [2, withBadKeyOfSend],
  'an unknown address of the service': [6, atUnknownAddress],
  'another method': [4, byAnotherMethod],
  'another link': [8, byAnotherLink],
  'a post from another site': [4, byForeignPage],
  'a bad post to a good link': [3, byBadPost],
  'the console': [4, atConsole],
  "a gateway's address": [4, asGateway],
  'pages of this machine under another name': [2, underAnotherName],
};
