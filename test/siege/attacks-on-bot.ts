// Hostile requests to the bot: the messaging endpoint, Direct Line, the chat page's token.
import type { Chance } from '../faults/random.ts';
import { message } from '../support/activities.ts';
import { badBody, json, junk, type Kind, ofBodies, plainJunk, tokenLike } from './attack.ts';

const at = 'bot' as const;
const line = '/v3/directline/conversations';

/** One field of an activity, and what cannot stand there. */
const wrong: readonly (readonly [string, (chance: Chance) => unknown])[] = [
  ['type', (chance) => junk(chance)],
  ['type', () => 'trace'],
  ['type', () => 7],
  ['id', () => 'x'.repeat(2000)],
  ['id', () => '\u0000'],
  ['channelId', (chance) => `${junk(chance)} `],
  ['conversation', () => null],
  ['conversation', (chance) => ({ id: `\u0001${junk(chance)}` })],
  ['from', () => ({})],
  ['from', (chance) => [junk(chance)]],
  ['recipient', () => 'bot'],
  ['serviceUrl', () => 'http://169.254.169.254/latest/meta-data/'],
  ['serviceUrl', () => 'https://evil.example/'],
  ['serviceUrl', () => 'http://127.0.0.1@evil.example/'],
  ['serviceUrl', () => 'file:///etc/passwd'],
  ['serviceUrl', (chance) => `${junk(chance)}:`],
  ['replyToId', () => 7],
  ['text', () => ({ a: 1 })],
  ['attachments', () => [7]],
  ['entities', () => Array.from({ length: 300 }, () => ({ type: 'x' }))],
  ['membersAdded', () => [{ id: '' }]],
  ['suggestedActions', () => 'x'],
];

const badActivity: Kind = (chance) => {
  const [field, value] = chance.pick(wrong);
  return {
    at,
    method: 'POST',
    path: '/api/messages',
    headers: json,
    body: JSON.stringify(message({ [field]: value(chance) })),
    answers: [400],
  };
};

const badBodyOfActivity: Kind = (chance) => {
  const { headers, ...rest } = badBody(chance, 256 * 1024);
  return { at, method: 'POST', path: '/api/messages', headers, ...rest, answers: ofBodies };
};

const underAnotherName: Kind = (chance) => ({
  at,
  method: 'POST',
  path: '/api/messages',
  headers: { ...json, host: chance.pick(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', '0.0.0.0', '10.0.0.1:80']) },
  body: JSON.stringify(message()),
  answers: [421],
});

const withoutToken: Kind = (chance, { conversation }) => {
  const [method, path] = chance.pick([
    ['POST', line],
    ['GET', `${line}/${conversation.id}`],
    ['GET', `${line}/${conversation.id}/activities`],
    ['POST', `${line}/${conversation.id}/activities`],
    ['POST', `${line}/${conversation.id}/upload`],
    ['POST', '/v3/directline/tokens/refresh'],
  ] as const);
  const [head = '', payload = '', signature = ''] = conversation.token.split('.');
  const authorization = chance.pick([
    undefined,
    'Bearer',
    `Bearer ${tokenLike(chance)}`,
    `Bearer ${head}.${payload}.${tokenLike(chance, 43)}`,
    `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`,
    `Bearer ${head}.${Buffer.from('{"sub":"x"}').toString('base64url')}.${signature}`,
    `Basic ${tokenLike(chance, 40)}`,
    plainJunk(chance),
  ]);
  return { at, method, path, headers: { ...(authorization !== undefined && { authorization }) }, answers: [401, 403] };
};

/** A token that is good, used for what it does not open or with what nobody posts. */
const withToken: Kind = (chance, { conversation: { id, token } }) => {
  const authorization = `Bearer ${token}`;
  const other = tokenLike(chance, 22);
  const own = `${line}/${id}`;
  switch (chance.between(0, 7)) {
    case 0:
      return {
        at,
        method: chance.pick(['GET', 'POST']),
        path: `${line}/${other}/activities`,
        headers: { authorization },
        answers: [403, 429],
      };
    case 1:
      return {
        at,
        method: 'GET',
        path: `${own}/activities?watermark=${plainJunk(chance)}x-`,
        headers: { authorization },
        answers: [400, 429],
      };
    case 2:
      return { at, method: 'GET', path: `${own}/files/${plainJunk(chance)}?t=${tokenLike(chance)}`, answers: [403, 404] };
    case 3: {
      const headers = {
        authorization,
        'content-type': chance.pick(['multipart/form-data', 'multipart/form-data; boundary=x', 'text/plain']),
      };
      return { at, method: 'POST', path: `${own}/upload`, headers, body: `--x\r\n${junk(chance)}`, answers: [415, 429] };
    }
    case 4: {
      const { headers, ...rest } = badBody(chance, 256 * 1024);
      return {
        at,
        method: 'POST',
        path: `${own}/activities`,
        headers: { ...headers, authorization },
        ...rest,
        answers: [400, 413, 415, 429],
      };
    }
    case 5: {
      const [field, value] = chance.pick<readonly [string, unknown]>([
        ['type', junk(chance)],
        ['type', 'invoke'],
        ['text', { a: 1 }],
        ['name', 7],
        ['entities', [{ type: 'x'.repeat(2000) }]],
      ]);
      const body = JSON.stringify({ type: 'message', text: 'x', [field]: value });
      return { at, method: 'POST', path: `${own}/activities`, headers: { ...json, authorization }, body, answers: [400, 429] };
    }
    default:
      return { at, method: chance.pick(['PUT', 'DELETE', 'PATCH']), path: own, headers: { authorization }, answers: [405] };
  }
};

const forChatToken: Kind = (chance) => ({
  at,
  method: 'POST',
  path: '/chat/token',
  ...chance.pick<{ headers: Record<string, string>; body: string }>([
    { headers: { ...json, 'sec-fetch-site': 'cross-site' }, body: '{}' },
    { headers: { ...json, origin: 'https://evil.example' }, body: '{}' },
    { headers: { ...json, origin: 'null' }, body: '{}' },
    { headers: json, body: JSON.stringify({ token: 7 }) },
    { headers: json, body: JSON.stringify({ token: 'x'.repeat(5000) }) },
    { headers: json, body: '[' },
  ]),
  answers: [400, 403, 422],
});

const atUnknownAddress: Kind = (chance) => ({
  at,
  method: chance.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD']),
  path: chance.pick([
    `/${plainJunk(chance)}`,
    '/api',
    '/api/messages/x',
    '/%zz',
    '/..%2f..%2fetc/passwd',
    `/assets/${plainJunk(chance)}`,
    '/v3/directline',
  ]),
  answers: [400, 404, 405],
});

/** How often each kind comes, and the kind. */
export const attacksOnBot: Readonly<Record<string, readonly [number, Kind]>> = {
  'a bad activity': [12, badActivity],
  'a bad body of an activity': [8, badBodyOfActivity],
  'an activity under another name': [2, underAnotherName],
  'Direct Line without its token': [8, withoutToken],
  'Direct Line with its token': [10, withToken],
  'the token of a chat': [3, forChatToken],
  'an unknown address of the bot': [3, atUnknownAddress],
};
