// The grammar of a flow's tests, which stand in a file beside it: `settle-bill.test.yaml`.
import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { type AppId, appIds } from '../../contract/index.ts';
import { describeIssues, plainly } from '../../platform/issues.ts';
import type { Fault } from '../fault.ts';
import { type OutcomeName, outcomes } from '../schema.ts';

const device = z
  .string()
  .regex(new RegExp(`^(?:${appIds.join('|')}) (?:${outcomes.join('|')})$`), `must be an app and an outcome, such as payments failure`)
  .transform((said) => said.split(' ') as [AppId, OutcomeName]);
const clock = z
  .string()
  .regex(/^\+[1-9]\d{0,4}[smh]$/, 'must be a time such as +10m')
  .transform((said) => Number.parseInt(said, 10) * ({ s: 1000, m: 60_000, h: 3_600_000 }[said.at(-1) as 'h' | 'm' | 's'] ?? 0));

const line = z.union([
  z.strictObject({ customer: z.union([z.string(), z.number(), z.boolean()]).transform(String) }),
  z.strictObject({ device }),
  z.strictObject({ bot: z.string().min(1, 'must not be empty') }),
  z.strictObject({ clock }),
  z.strictObject({ ends: z.enum([...outcomes, 'handoff', 'left']) }),
]);
export type ScriptLine = z.output<typeof line>;

const script = z.strictObject({
  flow: z.string(),
  tests: z.array(
    z.strictObject({
      name: z.string().min(1, 'must not be empty'),
      caller: z.string().optional(),
      language: z.string().optional(),
      inputs: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      steps: z.array(line),
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

/** Reads a file of tests; or what is wrong with it. */
export const readScript = (text: string, file: string): Script | readonly Fault[] => {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineAt = (at: readonly PropertyKey[]): { line: number; column: number } => {
    const node = document.getIn(at as never, true) as { range?: [number] } | undefined;
    if (!node?.range) return at.length > 0 ? lineAt(at.slice(0, -1)) : { line: 1, column: 1 };
    const { line: number, col } = lines.linePos(node.range[0]);
    return { line: number, column: col };
  };
  if (document.errors.length > 0)
    return document.errors.map(({ linePos, message }) => ({
      file,
      line: linePos?.[0].line ?? 1,
      column: linePos?.[0].col ?? 1,
      code: 'yaml',
      message: message.split('\n')[0] ?? '',
    }));
  const { success, data, error } = script.safeParse(document.toJS({ maxAliasCount: 20 }), { error: plainly });
  if (success) return { file, ...data, lineOf: (test, step) => lineAt(['tests', test, 'steps', step]).line };
  return error.issues.flatMap((issue) => {
    const [{ message } = { message: issue.message }] = describeIssues({ issues: [issue] } as z.ZodError);
    const text = issue.code === 'invalid_union' ? 'must be one of customer, device, bot, clock and ends, with what it says' : message;
    return [{ file, ...lineAt(issue.path), code: 'test', message: `${String(issue.path.at(-1) ?? 'the file')} ${text}` }];
  });
};
