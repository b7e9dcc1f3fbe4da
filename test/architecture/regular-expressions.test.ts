// JavaScript's engine backtracks: a pattern that is super-linear in the length of a text lets one message keep the
// process busy for everybody. Patterns of others run on RE2 (src/platform/text/pattern.ts).
import assert from 'node:assert/strict';
import { Visitor } from 'oxc-parser';
import { check } from 'recheck';
import { makeTexts } from '../../dialogs/language/texts.ts';
import { allSources, lineOf, parseSource, type SourceFile } from './sources.ts';

interface Written {
  readonly at: string;
  readonly pattern: string;
  readonly flags: string;
}

const literalsIn = (source: SourceFile): Written[] => {
  const found: Written[] = [];
  new Visitor({
    Literal: (node) => {
      if (!('regex' in node) || !node.regex) return;
      const { pattern, flags } = node.regex;
      found.push({ at: `${source.file}:${lineOf(source, node)}`, pattern, flags });
    },
  }).visit(source.program);
  return found;
};

/** The files that make a pattern out of parts, each with how often. */
const composingIn = (source: SourceFile): string[] => {
  const found: string[] = [];
  const note = (node: { readonly callee: object }) => {
    if ('name' in node.callee && node.callee.name === 'RegExp') found.push(source.file);
  };
  new Visitor({ NewExpression: note, CallExpression: note }).visit(source.program);
  return found;
};

/** Every module that composes patterns out of our own parts, and what makes it do so. */
const composing: Readonly<Record<string, (module: never) => unknown>> = {
  'cards/plain.ts': () => undefined,
  'dialogs/language/readings.ts': ({ readNumber }: typeof import('../../dialogs/language/readings.ts')) =>
    ['en', 'de', 'fr', 'es', 'ar', 'ja'].map((locale) => readNumber('1', locale)),
  'dialogs/language/segments.ts': () => undefined,
  'dialogs/language/words.ts': ({ clausesOf }: typeof import('../../dialogs/language/words.ts')) =>
    ['en', 'de', 'fr', 'es', 'ar', 'ja'].map((locale) => clausesOf('one and two', makeTexts(locale))),
  'src/bot/envelope.ts': () => undefined,
  'src/flows/grammar/slot-pattern.ts': ({ SlotPattern }: typeof import('../../src/flows/grammar/slot-pattern.ts')) =>
    ['pay the bill {n} on {day}', '請求書 を 払う {n}', 'ادفع الفاتورة {n}'].map((phrase) => new SlotPattern(phrase)),
  'src/platform/text/contact-details.ts': () => undefined,
  'src/platform/text/possible-codes.ts': () => undefined,
  'src/service/pdf/lines.ts': () => undefined,
};

/** Files whose composed patterns are not checked here, with the reason. */
const unchecked: Readonly<Record<string, string>> = {
  'src/own-cards/own-cards.ts': 'a constant of two characters, on the operator’s own cards',
  'src/platform/text/pattern.ts': 'compiled for its syntax and never run',
  'src/web/chat-token.ts': 'a constant name, and 43 letters of a class without spaces',
};

/** What is wrong with a pattern; `undefined` if it is linear. */
const faultOf = async ({ at, pattern, flags }: Written): Promise<string | undefined> => {
  // Steps are counted, and no time of a machine that does much else.
  const found = await check(pattern, flags, { timeout: 60_000, attackTimeout: null, incubationTimeout: null });
  if (found.status === 'safe') return undefined;
  const why = found.status === 'vulnerable' ? `${found.complexity.summary}, such as ${found.attack.pattern}` : 'not decided';
  return `${at} /${pattern}/${flags}: ${why}`;
};

const faultsIn = async (patterns: readonly Written[]): Promise<string[]> => {
  const known = new Map(patterns.map((one) => [`/${one.pattern}/${one.flags}`, one]));
  const faults: string[] = [];
  for (const one of known.values()) {
    const fault = await faultOf(one);
    if (fault !== undefined) faults.push(fault);
  }
  return faults;
};

describe('the regular expressions', function () {
  this.timeout(300_000);
  const sources = allSources('{ts,js}');

  it('are found wherever they stand', () => {
    const planted = parseSource('planted.js', 'const a = /x+$/g; "/no/"; // /no/\nif (/y/.test(a / b / c)) RegExp("z");');
    assert.deepEqual(
      literalsIn(planted).map(({ at, pattern }) => `${at} ${pattern}`),
      ['planted.js:1 x+$', 'planted.js:2 y'],
    );
    assert.deepEqual(composingIn(planted), ['planted.js']);
  });

  for (const pattern of ['(a+)+$', '\\S+@\\S+\\.\\S+', '!+$', '(?<=\\.\\d*)0+$'])
    it(`are refused if they are super-linear: /${pattern}/`, async () => {
      assert.match((await faultOf({ at: 'planted.ts:1', pattern, flags: '' })) ?? '', /polynomial|exponential/);
    });

  it('of our own take a time that grows with the text only', async () => {
    assert.deepEqual(await faultsIn(sources.flatMap(literalsIn)), []);
  });

  it('are composed where it is said, and nowhere else', () => {
    assert.deepEqual([...new Set(sources.flatMap(composingIn))].sort(), [...Object.keys(composing), ...Object.keys(unchecked)].sort());
  });

  for (const [file, use] of Object.entries(composing))
    it(`composed in ${file} take a time that grows with the text only`, async () => {
      const made: Written[] = [];
      const own = globalThis.RegExp;
      globalThis.RegExp = new Proxy(own, {
        construct: (target, [pattern, flags = '']: [string, string]) => {
          // Those of libraries that it calls are theirs: what reaches them has to be short.
          if (new Error().stack?.split('\n')[2]?.includes(`/${file}?`)) made.push({ at: file, pattern, flags });
          return new target(pattern, flags);
        },
      });
      try {
        use((await import(`../../${file}?composing`)) as never);
      } finally {
        globalThis.RegExp = own;
      }
      assert.ok(made.length > 0);
      assert.deepEqual(await faultsIn(made), []);
    });
});
