// Flows made at random from a seed: whatever the grammar has, nested, with names that are known and names that may not
// be.
import { stringify } from 'yaml';
import type { Chance } from '../faults/random.ts';

const apps = ['passkeys', 'one-time-passcode', 'payments', 'e-form', 'document-signature'] as const;

/** Two flows: one may run the other. */
export const randomFlows = (chance: Chance): Readonly<Record<string, string>> => {
  let names = 0;
  let budget = 14;
  const known: string[] = [];
  const texts: string[] = [];
  const partNames = ['first', 'second'].slice(0, chance.between(0, 3));

  const text = (): string => {
    const name = chance.happens(0.4) && known.length > 0 ? chance.pick(known) : undefined;
    return name === undefined ? 'Hello' : `Hello \${${name}}`;
  };
  const condition = () =>
    chance.happens(0.5) && texts.length > 0 ? `${chance.pick(texts)} == "x"` : chance.pick(['1 > 2', 'true', '2.5 >= 1']);
  const target = (depth: number, from: number): unknown => {
    const parts = partNames.slice(from);
    const kind = chance.pick(['next', 'end', 'steps', 'part', 'retry'] as const);
    if (kind === 'steps' && depth < 3) return steps(depth + 1, from);
    if (kind === 'part' && parts.length > 0) return chance.pick(parts);
    if (kind === 'retry')
      return Object.fromEntries([
        ['retry', chance.between(1, 3)],
        ['then', chance.pick(['next', 'end'])],
      ]);
    return kind === 'end' ? 'end' : 'next';
  };
  const branches = (depth: number, from: number, as: string): object => {
    const success = chance.pick(['next', 'end']);
    const kept = chance.happens(0.5) ? { as } : {};
    if (chance.happens(0.4)) return { ...kept, else: target(depth, from) };
    return { ...kept, on: { success, failure: target(depth, from), timeout: target(depth, from), cancelled: target(depth, from) } };
  };
  const step = (depth: number, from: number): object => {
    names += 1;
    budget -= 1;
    const as = `n${names}`;
    switch (chance.pick(['say', 'ask', 'set', 'when', 'app', 'app', 'verify', 'run', 'choose'] as const)) {
      case 'say':
        return { say: text() };
      case 'ask':
        known.push(as);
        texts.push(as);
        return { ask: 'text', as, text: text() };
      case 'set':
        known.push(as);
        return { set: { [as]: chance.pick([1, true, text()]) } };
      case 'when':
        return depth < 3
          ? { when: condition(), do: steps(depth + 1, from), ...(chance.happens(0.5) && { else: steps(depth + 1, from) }) }
          : { say: text() };
      case 'verify':
        return { verify: {}, ...branches(depth, from, as) };
      case 'run':
        return { run: 'other', with: { n: 3 }, ...branches(depth, from, as) };
      case 'choose':
        known.push(as);
        texts.push(as);
        return { choose: as, from: chance.pick(['products', 'documents', 'forms']) };
      default: {
        const app = chance.pick(apps);
        known.push(`${as}.status`);
        if (app === 'payments') known.push(`${as}.amount`);
        return { [app]: {}, ...branches(depth, from, as) };
      }
    }
  };
  const steps = (depth: number, from: number): object[] => {
    const all = [step(depth, from)];
    while (budget > 0 && chance.happens(0.6)) all.push(step(depth, from));
    return all;
  };
  const main = steps(0, 0);
  budget = 6;
  // A part leads only to those after it: most of them come to an end.
  const parts = partNames.map((name, index) => [
    name,
    [...steps(1, index + 1), chance.happens(0.9) ? { end: chance.pick(['success', 'failure']) } : { handoff: { reason: 'x' } }],
  ]);
  const flow = { flow: 'trial', title: 'trial', do: main, ...(parts.length > 0 && { parts: Object.fromEntries(parts) }) };
  const other = {
    flow: 'other',
    title: 'other',
    menu: false,
    needs: { n: 'number' },
    gives: { sum: 'number' },
    do: [
      { ask: 'text', as: 'why', text: 'Why?' },
      { when: 'why == "x"', do: [{ end: chance.pick(['failure', 'timeout', 'cancelled']) }] },
      { set: { sum: `${'$'}{n + 1}` } },
    ],
  };
  return { trial: stringify(flow), other: stringify(other) };
};
