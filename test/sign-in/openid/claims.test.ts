import assert from 'node:assert/strict';
import { personIn, roleIn } from '../../../src/sign-in/openid/claims.ts';
import { returnPath } from '../../../src/sign-in/openid/openid-sign-in.ts';

const ranks = [
  ['operator', ['op', 'Console Operators']],
  ['viewer', ['view']],
] as const;

describe('the claims of an OpenID provider', () => {
  const roles: [string, string, object, string | undefined][] = [
    ['a list', 'roles', { roles: ['view', 'op'] }, 'operator'],
    ['one that only looks', 'roles', { roles: ['other', 'view'] }, 'viewer'],
    ['a single value', 'roles', { roles: 'Console Operators' }, 'operator'],
    ['values further in', 'realm_access.roles', { realm_access: { roles: ['view'] } }, 'viewer'],
    ['a claim with dots in its name', 'https://example.com/roles', { 'https://example.com/roles': ['op'] }, 'operator'],
    ['a claim whose whole name is there', 'a.b', { 'a.b': ['view'], a: { b: ['op'] } }, 'viewer'],
    ['no such claim', 'roles', {}, undefined],
    ['an empty list', 'roles', { roles: [] }, undefined],
    ['other values', 'roles', { roles: ['OP', 'op ', 'viewer', ''] }, undefined],
    ['a part of a value', 'roles', { roles: 'op,view' }, undefined],
    ['what is no text', 'roles', { roles: [1, null, { op: true }, ['op']] }, undefined],
    ['an object in place of a list', 'roles', { roles: { 0: 'op', length: 1 } }, undefined],
    ['a way through a text', 'a.length', { a: 'op' }, undefined],
    ['what every object has', 'constructor.name', { sub: 'x' }, undefined],
    ['what every list has', 'roles.length', { roles: ['op'] }, undefined],
    ['a prototype', '__proto__.roles', {}, undefined],
  ];
  for (const [what, roleClaim, claims, role] of roles) {
    it(`give ${role ?? 'no role'} for ${what}`, () => assert.equal(roleIn({ ...claims }, roleClaim, ranks), role));
  }

  const names: [string, object, string][] = [
    ['the address', { email: 'olga@example.com', email_verified: true, preferred_username: 'olga' }, 'olga@example.com (s-1)'],
    ['the user name where nobody vouches for the address', { email: 'ceo@example.com', preferred_username: 'o' }, 'o (s-1)'],
    ['the name where the user name looks like an address', { preferred_username: 'ceo@example.com', name: 'O' }, 'O (s-1)'],
    [
      'the user name where the address is doubtful',
      { email: 'ceo@example.com', email_verified: false, preferred_username: 'o' },
      'o (s-1)',
    ],
    ['the name where there is nothing else', { name: 'Olga Berg' }, 'Olga Berg (s-1)'],
    ['the subject alone where that is the name as well', { preferred_username: 's-1' }, 's-1'],
    ['the subject alone', { email: '', name: 7 }, 's-1'],
    ['one line', { name: 'Olga\r\n2026 \u202Egreb\u0000  Berg\u2028' }, 'Olga 2026 greb Berg (s-1)'],
    ['a hundred characters at most', { name: '𝒶'.repeat(150) }, `${'𝒶'.repeat(100)} (s-1)`],
  ];
  for (const [what, claims, person] of names) {
    it(`name somebody by ${what}`, () => assert.deepEqual(personIn({ sub: 's-1', ...claims }), { subject: 's-1', person }));
  }
});

describe('the destination after a sign-in', () => {
  const cases: [string | undefined, string][] = [
    [undefined, '/console'],
    ['/console', '/console'],
    ['/console/requests?app=payments&from=2026-01-01', '/console/requests?app=payments&from=2026-01-01'],
    ['/console/a/../requests', '/console/requests'],
    ['/console/../outbox', '/console'],
    ['/console%2f..%2foutbox', '/console'],
    ['/consolation', '/console'],
    ['/console/sign-in', '/console'],
    ['/console/sign-in/callback?code=1', '/console'],
    ['/console/sign-out', '/console'],
    ['//evil.example/console', '/console'],
    ['/\\evil.example/console', '/console'],
    ['\\\\evil.example/console', '/console'],
    ['/\t/evil.example/console', '/console'],
    ['https://evil.example/console', '/console'],
    ['https:/console', '/console'],
    ['javascript:alert(1)', '/console'],
    ['console/requests', '/console/requests'],
    ['', '/console'],
    [`/console?${'a'.repeat(600)}`, '/console'],
  ];
  for (const [given, path] of cases)
    it(`is ${path} for ${JSON.stringify(given)?.slice(0, 60)}`, () => assert.equal(returnPath(given, '/console'), path));
});
