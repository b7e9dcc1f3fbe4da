import assert from 'node:assert/strict';
import fc from 'fast-check';
import { initialsIn, standFor } from '../../src/interactions/starting/blind-lookup.ts';

describe('initials', () => {
  const typed: [string, string | undefined][] = [
    ['M. T.', 'MT'],
    ['m t', 'MT'],
    ['mt', 'MT'],
    ['MT', 'MT'],
    ['AMLG', 'AMLG'],
    ['AMLGX', undefined],
    ['É. D.', 'ED'],
    ['Mei Tanaka', 'MT'],
    ['Ana María López García', 'AMLG'],
    ['Jean-Luc O’Brien', 'JO'],
    ['Ｍ．Ｔ．', 'MT'],
    ['M', 'M'],
    ['Mei', undefined],
    ['', undefined],
    ['12 34', undefined],
    ['a b c d e f', 'ABCDEF'],
    ['a b c d e f g', undefined],
  ];
  for (const [text, initials] of typed) it(`in “${text}” are ${initials ?? 'none'}`, () => assert.equal(initialsIn(text), initials));

  const names: [string, string, boolean][] = [
    ['MT', 'Mei Tanaka', true],
    ['TM', 'Mei Tanaka', false],
    ['M', 'Mei Tanaka', false],
    ['MX', 'Mei Tanaka', false],
    ['MTT', 'Mei Tanaka', false],
    ['AL', 'Ana María López García', true],
    ['AG', 'Ana María López García', true],
    ['ALG', 'Ana María López García', true],
    ['AGL', 'Ana María López García', false],
    ['ID', ' inês  Duarte ', true],
    ['M', 'Madonna', true],
    ['MM', 'Madonna', false],
    ['MT', '', false],
  ];
  for (const [initials, name, stand] of names)
    it(`${initials} ${stand ? 'match' : 'do not match'} “${name}”`, () => assert.equal(standFor(initials, name), stand));

  it('that are read from a name match it', () => {
    const word = fc.stringMatching(/^[A-Za-zÁÉÍÓÚÑáéíóúñ]{2,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 6 }), (words) => {
        const name = words.join(' ');
        assert.ok(standFor(initialsIn(name) as string, name));
      }),
    );
  });
});
