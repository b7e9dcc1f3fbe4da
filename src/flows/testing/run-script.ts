// Runs the tests of a flow, each on its own stage, and records the edges taken.

import { type Fault, faultLine } from '../grammar/fault.ts';
import type { FlowEvent } from '../running/events.ts';
import type { FlowTest, Script, ScriptLine } from './script.ts';
import { type Stage, StageFault, type StageOptions } from './stage.ts';

export interface TestResult {
  readonly flow: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** What went differently; absent if the test passed. */
  readonly failed?: string;
}

/** An edge, as it is counted. */
export const edgeKey = (flow: string, place: string, edge: string): string => `${flow} ${place} ${edge}`;

/** Messages for display, one per line. */
const listed = (messages: readonly string[]): string =>
  messages.length === 0 ? ' nothing more' : `:${messages.map((said) => `\n        ${said.trim().replaceAll('\n', ' ⏎ ')}`).join('')}`;

const waitingFor = async (stage: Stage): Promise<string> => {
  const waits = await stage.waitsFor();
  return waits === undefined ? '' : `: ${waits}`;
};

/**
 * Runs a line; returns what went differently. `seen`: the index from which messages may match, and the index of the
 * first message after the last line that passed.
 */
const perform = async (stage: Stage, line: ScriptLine, seen: { at: number; passed: number }): Promise<string | undefined> => {
  if (!('bot' in line || 'ends' in line)) seen.passed = stage.messages.length;
  if ('customer' in line) await stage.say(line.customer);
  else if ('device' in line) await stage.device(...line.device);
  else if ('clock' in line) await stage.advance(line.clock);
  else if ('bot' in line) {
    const at = stage.messages.findIndex((said, index) => index >= seen.at && line.bot.matches(said));
    if (at < 0) return `the bot did not say “${line.bot.written}”. It said${listed(stage.messages.slice(seen.passed))}`;
    seen.at = at;
    seen.passed = at + 1;
  } else if (stage.ended() === undefined) return `the flow has not ended in ${line.ends}${await waitingFor(stage)}`;
  else if (stage.ended() !== line.ends) return `the flow ended in ${stage.ended()}, not in ${line.ends}`;
  return undefined;
};

/** Runs one test; returns the step that went differently, and how. */
const runTest = async (stage: Stage, test: FlowTest): Promise<{ readonly step: number; readonly failed: string } | undefined> => {
  const seen = { at: 0, passed: 0 };
  let step = 0;
  try {
    const [first] = test.steps;
    if (!first || !('customer' in first)) await stage.begin();
    for (const line of test.steps) {
      const failed = await perform(stage, line, seen);
      if (failed !== undefined) return { step, failed };
      step += 1;
    }
    return undefined;
  } catch (fault) {
    if (fault instanceof StageFault) return { step, failed: fault.message };
    throw fault;
  }
};

/**
 * Runs the tests of a script. `taken`: the edges, by {@link edgeKey}. `warnings`: faults of the flow's file that only a
 * run can find, each once.
 */
export const runScript = async (script: Script, open: (options: StageOptions) => Promise<Stage>) => {
  const taken = new Set<string>();
  const warnings = new Map<string, Fault>();
  const observe = ({ flow, edge, warning }: FlowEvent) => {
    if (warning) warnings.set(faultLine(warning), warning);
    if (edge) taken.add(edgeKey(flow, edge.place, edge.edge));
  };
  const results: TestResult[] = [];
  for (const [index, test] of script.tests.entries()) {
    const { caller, inputs, language, name } = test;
    const stage = await open({ caller, inputs, language, observe });
    try {
      const wrong = await runTest(stage, test);
      const at = { flow: script.flow, name, file: script.file, line: script.lineOf(index, wrong?.step ?? 0) };
      results.push(wrong ? { ...at, failed: wrong.failed } : at);
    } finally {
      await stage.close();
    }
  }
  return { results, taken, warnings: [...warnings.values()] };
};
