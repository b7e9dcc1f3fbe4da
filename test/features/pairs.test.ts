import assert from 'node:assert/strict';
import { settingNames } from '../../src/compose/start/settings.ts';
import { combinationsOf, coveringStarts } from './covering.ts';
import type { Feature } from './feature.ts';
import { features, noFeature } from './features.ts';
import { FeatureFault, prove } from './start.ts';
import { openSurroundings, type Surroundings } from './surroundings.ts';

const byName = new Map(features.map((one) => [one.name, one]));
const reasonAgainst = (one: Feature, other: Feature) => one.without?.[other.name] ?? other.without?.[one.name];
const goTogether = (one: string, other: string) => reasonAgainst(byName.get(one) as Feature, byName.get(other) as Feature) === undefined;

/** How long to look for the feature with which another does not work. */
const blameMs = 45_000;

describe('the list of optional features', () => {
  it('has every setting of the bot, or the reason why it switches nothing on', () => {
    const named = new Set(features.flatMap(({ settings }) => Object.keys(settings)));
    assert.deepEqual(
      settingNames.filter((name) => named.has(name) === Object.hasOwn(noFeature, name)),
      [],
      'each setting stands in one of the two',
    );
    assert.deepEqual(
      [...named, ...Object.keys(noFeature)].filter((name) => !settingNames.includes(name)),
      [],
      'names that are no settings',
    );
  });

  it('names only features', () => {
    assert.equal(byName.size, features.length, 'a name is there twice');
    assert.deepEqual(
      features.flatMap(({ without = {} }) => Object.keys(without)).filter((name) => !byName.has(name)),
      [],
    );
  });

  it('is covered by a few starts: every two together, and each without the other', () => {
    const names = [...byName.keys()];
    for (const seed of [1, 2, 3]) {
      const starts = coveringStarts(names, goTogether, seed);
      assert.ok(starts.length <= 24, `${starts.length} starts`);
      for (const [one, on, other, otherOn] of combinationsOf(names, goTogether))
        assert.ok(
          starts.some((start) => start.has(one) === on && start.has(other) === otherOn),
          `${one} ${on}, ${other} ${otherOn}`,
        );
      for (const start of starts)
        for (const one of start) for (const other of start) assert.ok(one === other || goTogether(one, other), `${one} and ${other}`);
    }
  });
});

describe('two features that are on together', function () {
  this.timeout(300_000);
  const seed = Number(process.env.SEED ?? Date.now() % 100_000);
  let around: Surroundings;
  before(async () => {
    around = await openSurroundings();
  });
  after(() => around?.close());

  /** Those with which a feature does not work, of those that were on. */
  const partnersOf = async (name: string, on: readonly Feature[]): Promise<string[]> => {
    const found: string[] = [];
    const deadline = Date.now() + blameMs;
    for (const other of on.filter((one) => one.name !== name && Date.now() < deadline)) {
      const both = [byName.get(name) as Feature, other];
      await prove(both, around).catch((fault: unknown) => {
        if (fault instanceof FeatureFault && fault.feature === name) found.push(other.name);
      });
    }
    return found;
  };
  const starts = coveringStarts([...byName.keys()], goTogether, seed);
  for (const [index, start] of starts.entries())
    it(`both work, start ${index + 1} of ${starts.length} (SEED=${seed}): ${[...start].join(', ')}`, async () => {
      const on = [...start].map((name) => byName.get(name) as Feature);
      await prove(on, around).catch(async (fault: Error) => {
        const others = fault instanceof FeatureFault ? await partnersOf(fault.feature, on) : [];
        throw new Error(`${fault.message}${others.map((name) => `; it does not go with “${name}”`).join('')}`, { cause: fault });
      });
    });
});
