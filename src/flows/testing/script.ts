// The grammar of a flow's tests, which are in a file beside it: `settle-bill.test.yaml`.
import { z } from 'zod';
import { type AppId, appIds } from '../../contract/index.ts';
import { describeIssues, plainly } from '../../platform/settings/issues.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';
import { compilePattern, PatternError } from '../../platform/text/pattern.ts';
import type { Fault } from '../grammar/fault.ts';
import { parseFlowFile } from '../grammar/read-flow.ts';
import { type OutcomeName, outcomes } from '../grammar/schema.ts';

/** The written word is unknown. */
const noneOf = (written: string, what: string, known: readonly string[]): string => {
  const { hint } = didYouMean(written, known);
  return `${written} is no ${what}: it is one of ${known.join(', ')}${hint === undefined ? '' : `; ${hint}`}`;
};
const oneOf = <Name extends string>(known: readonly Name[], what: string) =>
  z.enum(known, { error: ({ input }) => noneOf(String(input), what, known) });

const device = z
  .string()
  .regex(/^\S+ \S+$/, 'device must be an app and an outcome, such as payments failure')
  .transform((said) => said.split(' '))
  .pipe(z.tuple([oneOf<AppId>(appIds, 'app'), oneOf<OutcomeName>(outcomes, 'outcome of an app')]));
const clock = z
  .string()
  .regex(/^\+[1-9]\d{0,4}[smh]$/, 'clock must be a time such as +10m')
  .transform((said) => Number.parseInt(said, 10) * ({ s: 1000, m: 60_000, h: 3_600_000 }[said.at(-1) as 'h' | 'm' | 's'] ?? 0));

/** Words that the bot says somewhere in a message, or the `/pattern/` of a whole one. */
const expectationOf = (written: string, context: z.RefinementCtx) => {
  const [, pattern, flags] = /^\/(.+)\/([iu]*)$/s.exec(written) ?? [];
  if (pattern === undefined) return { written, matches: (said: string) => said.toLowerCase().includes(written.toLowerCase()) };
  try {
    const compiled = compilePattern(pattern, { ignoreCase: flags?.includes('i') });
    return { written, matches: compiled.isIn };
  } catch (fault) {
    if (!(fault instanceof PatternError)) throw fault;
    context.addIssue({ code: 'custom', message: `${written} is not a pattern: ${fault.message}` });
    return z.NEVER;
  }
};

const kinds = {
  customer: z.strictObject({ customer: z.union([z.string(), z.number(), z.boolean()], 'customer must say something').transform(String) }),
  device: z.strictObject({ device }),
  bot: z.strictObject({ bot: z.string('bot must be words').min(1, 'bot must not be empty').transform(expectationOf) }),
  clock: z.strictObject({ clock }),
  ends: z.strictObject({ ends: oneOf([...outcomes, 'handoff', 'left'], 'way to end') }),
};
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];
export type ScriptLine = z.output<(typeof kinds)[keyof typeof kinds]>;

/** A step's key decides how it is checked. */
const line = z.unknown().transform((written, context): ScriptLine => {
  const refuse = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  const keys = typeof written === 'object' && written !== null && !Array.isArray(written) ? Object.keys(written) : [];
  const list = new Intl.ListFormat('en-GB').format(kindNames);
  const [key = ''] = keys;
  if (keys.length === 0) return refuse(`a step of a test is one of ${list}, with what it says`);
  const unknown = keys.find((one) => !Object.hasOwn(kinds, one));
  if (unknown !== undefined) {
    const { hint = '' } = didYouMean(unknown, kindNames);
    return refuse(`${unknown} is no step of a test${hint ? `; ${hint}` : `: it is one of ${list}`}`);
  }
  if (keys.length > 1) return refuse(`a step does one thing: ${keys.join(' or ')}`);
  const { success, data, error } = kinds[key as keyof typeof kinds].safeParse(written, { error: plainly });
  return success ? data : refuse(error.issues[0]?.message ?? `${key} cannot be read`);
});

const script = z.strictObject({
  flow: z.string(),
  tests: z.array(
    z
      .strictObject({
        name: z.string().min(1, 'must not be empty'),
        caller: z.string().optional(),
        language: z.string().optional(),
        inputs: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
        steps: z.array(line),
      })
      .refine(({ inputs, steps: [first] }) => inputs === undefined || !(first && 'customer' in first), {
        path: ['inputs'],
        error: 'inputs are for a flow that starts without words: leave them out, or the customer’s first words',
      }),
  ),
});
export type FlowTest = z.output<typeof script>['tests'][number];

export interface Script {
  readonly file: string;
  readonly flow: string;
  readonly tests: readonly FlowTest[];
  /** The line of a step of a test. */
  lineOf(test: number, step: number): number;
}

/** Reads a file of tests; returns them, or the faults. */
export const readScript = (text: string, file: string): Script | readonly Fault[] => {
  const { positions, written, faults } = parseFlowFile(text, file);
  if (faults.length > 0) return faults;
  const { success, data, error } = script.safeParse(written, { error: plainly });
  if (success) return { file, ...data, lineOf: (test, step) => positions.line(['tests', test, 'steps', step]) };
  return error.issues.map((issue) => {
    const [{ message } = { message: issue.message }] = describeIssues({ issues: [issue] } as z.ZodError);
    const said = issue.code === 'custom' ? message : `${String(issue.path.at(-1) ?? 'the file')} ${message}`;
    return positions.fault(issue.path, 'test', said);
  });
};
