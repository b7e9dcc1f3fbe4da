import assert from 'node:assert/strict';
import { createLocalJWKSet, decodeJwt, exportJWK, generateKeyPair, type JSONWebKeySet, jwtVerify } from 'jose';
import { makeNewId } from '../../src/platform/secrets/new-id.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { makeAssertionKey, makeAssertions, shownConversation } from '../../src/verification/assertion.ts';

const start = Date.UTC(2026, 10, 20, 9);
const minute = 60_000;
const issuer = 'https://chat.example.com';
const audience = 'https://desk.example.com';
const place = { audience, handoff: '01KAH5Z0V8Q2J9XW3N4M5P6R7S', conversation: shownConversation('directline/chat-1') };
const proven = { method: 'passkeys', customerRef: 'cust-0001', requestId: 'r1', at: start, until: start + 15 * minute } as const;

describe('the proof that a chat is verified', () => {
  let now = start;
  const make = async (keys: string) => makeAssertions({ keys, setting: 'ASSERTION_KEY' }, issuer, { now: () => now }, makeNewId());
  type Made = Awaited<ReturnType<typeof make>>;
  const check = (token: string, { jwks }: Pick<Made, 'jwks'>, more: object = {}) =>
    jwtVerify(token, createLocalJWKSet(jwks as JSONWebKeySet), { issuer, audience, currentDate: new Date(now), ...more });
  beforeEach(() => {
    now = start;
  });

  it('is a token that a platform checks with the published keys alone', async () => {
    const made = await make(await makeAssertionKey());
    const token = await made.sign(proven, place);
    const { payload, protectedHeader } = await check(token, made);
    const { jti, ...claims } = payload;
    assert.deepEqual(claims, {
      ...{ iss: issuer, aud: audience, sub: 'cust-0001', iat: start / 1000, exp: start / 1000 + 300 },
      ...{ cs_verified: true, cs_verified_method: 'passkeys', cs_verified_at: start / 1000, cs_verified_until: start / 1000 + 900 },
      ...{ cs_request_id: 'r1', cs_handoff: place.handoff, cs_conversation: place.conversation },
    });
    assert.match(String(jti), /^[0-9A-Z]{26}$/);
    assert.notEqual(decodeJwt(await made.sign(proven, place)).jti, jti);
    assert.deepEqual([protectedHeader.alg, protectedHeader.kid], ['ES256', made.jwks.keys[0]?.kid]);
  });

  it('names the chat without its private name, and is none of another chat', async () => {
    const made = await make(await makeAssertionKey());
    const other = decodeJwt(await made.sign(proven, { audience, conversation: shownConversation('directline/chat-2') }));
    assert.deepEqual([other.cs_handoff, other.cs_conversation === place.conversation], [undefined, false]);
    assert.match(place.conversation, /^[\w-]{22}$/);
  });

  it('publishes no private key', async () => {
    const { jwks } = await make(await makeAssertionKey());
    assert.deepEqual(
      jwks.keys.map((key) => Object.keys(key).sort()),
      [['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']],
    );
  });

  it('is valid for five minutes, and never longer than the verification', async () => {
    const made = await make(await makeAssertionKey());
    const token = await made.sign(proven, place);
    now = start + 5 * minute - 1000;
    await check(token, made);
    now = start + 5 * minute;
    await assert.rejects(check(token, made), { code: 'ERR_JWT_EXPIRED' });
    now = start + 14 * minute;
    assert.equal(decodeJwt(await made.sign(proven, place)).exp, proven.until / 1000);
  });

  it('is for one audience, from one issuer, by our keys', async () => {
    const made = await make(await makeAssertionKey());
    const token = await made.sign(proven, place);
    await assert.rejects(check(token, made, { audience: 'https://other.example.com' }), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
    await assert.rejects(check(token, made, { issuer: 'https://other.example.com' }), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
    await assert.rejects(check(token, await make(await makeAssertionKey())), { code: 'ERR_JWKS_NO_MATCHING_KEY' });
  });

  it('can still be checked while its key is being changed', async () => {
    const { keys: old } = JSON.parse(await makeAssertionKey());
    const { keys: fresh } = JSON.parse(await makeAssertionKey());
    const before = await make(JSON.stringify({ keys: old }));
    const token = await before.sign(proven, place);
    const after = await make(JSON.stringify({ keys: [...fresh, ...old] }));
    await check(token, after);
    const { protectedHeader } = await check(await after.sign(proven, place), after);
    assert.notEqual(protectedHeader.kid, before.jwks.keys[0]?.kid);
  });

  it('may be signed with Ed25519', async () => {
    const { privateKey } = await generateKeyPair('Ed25519', { extractable: true });
    const made = await make(JSON.stringify(await exportJWK(privateKey)));
    assert.equal((await check(await made.sign(proven, place), made)).protectedHeader.alg, 'EdDSA');
  });

  const unusable: [string, () => Promise<string>][] = [
    ['no JSON', async () => 'a-secret-of-32-characters-or-more'],
    ['no key', async () => '{"keys":[]}'],
    ['a public key', async () => JSON.stringify((await make(await makeAssertionKey())).jwks)],
    [
      'a key of another kind',
      async () => JSON.stringify(await exportJWK((await generateKeyPair('RS256', { extractable: true })).privateKey)),
    ],
    ['half a key', async () => JSON.stringify({ ...JSON.parse(await makeAssertionKey()).keys[0], d: 'AAAA' })],
  ];
  for (const [what, keys] of unusable)
    it(`refuses ${what}, by the setting’s name`, async () =>
      assert.rejects(
        keys().then(make),
        (fault) => fault instanceof SettingsError && /^ASSERTION_KEY: must be a private key/.test(fault.lines[0] ?? ''),
      ));
});
