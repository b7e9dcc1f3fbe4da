// A flow as a diagram in Mermaid (mermaid.js.org, "Flowcharts"), for a review, a document or a page.
import { after, isBranching, isRetry, isSteps, type StepPlace, stepsOf, targetOf } from './program.ts';
import { type FlowSource, type FlowText, type OutcomeName, outcomes, type Step, type Target, verbOf } from './schema.ts';

const quoted = (text: string) => `"${text.replaceAll('"', '#quot;').replaceAll('\n', ' ')}"`;
const english = (text: FlowText): string => (typeof text === 'string' ? text : (text.en ?? Object.values(text)[0] ?? ''));
const shortened = (text: string) => (text.length > 48 ? `${text.slice(0, 47)}…` : text);

/** What stands in the box of a step. */
export const stepLabel = (step: Step): string => {
  if ('say' in step) return `say: ${shortened(english(step.say))}`;
  if ('ask' in step) return `ask: ${step.as} (${step.ask})`;
  if ('choose' in step) return `choose: ${step.choose} from ${step.from}`;
  if ('verify' in step) return 'verify';
  if ('set' in step) return `set: ${Object.keys(step.set).join(', ')}`;
  if ('when' in step) return `when: ${shortened(step.when)}`;
  if ('run' in step) return `run: ${step.run}`;
  if ('go' in step) return `go: ${step.go}`;
  if ('handoff' in step) return `handoff: ${step.handoff.reason}`;
  if ('end' in step) return `end: ${step.end}`;
  return verbOf(step) ?? '';
};

/** The name of a step's box. */
const nodeOf = (place: StepPlace): string => place.replace(/[.-]/g, '_');

export const drawFlow = (flow: FlowSource): string => {
  const lines = ['flowchart TD', `  start([${quoted(flow.flow)}]) --> do_0`];
  const ends = new Set<string>();
  const goesTo = (place: StepPlace | undefined, outcome: OutcomeName = 'success'): string => {
    if (place !== undefined) return nodeOf(place);
    ends.add(outcome);
    return `end_${outcome}`;
  };
  const arrow = (from: StepPlace, to: string, label?: string) =>
    lines.push(`  ${nodeOf(from)} -->${label === undefined ? '' : `|${label}|`} ${to}`);
  const follow = (place: StepPlace, label: string, key: string, target: Target, by: readonly OutcomeName[]): void => {
    if (isRetry(target)) {
      arrow(place, nodeOf(place), `${label}: again, ${target.retry} at most`);
      follow(place, label, `${key}.then`, target.then, by);
    } else if (isSteps(target)) arrow(place, nodeOf(`${place}.${key}.0`), label);
    else if (target === 'next') arrow(place, goesTo(after(flow, place)), label);
    else if (target === 'end') for (const outcome of by) arrow(place, goesTo(undefined, outcome), label);
    else arrow(place, nodeOf(`parts.${target}.0`), label);
  };
  for (const [place, step] of stepsOf(flow)) {
    const [open, close] = 'when' in step ? ['{{', '}}'] : isBranching(step) ? ['[[', ']]'] : ['[', ']'];
    lines.push(`  ${nodeOf(place)}${open}${quoted(stepLabel(step))}${close}`);
    if ('when' in step) {
      arrow(place, nodeOf(`${place}.do.0`), 'true');
      arrow(place, step.else ? nodeOf(`${place}.else.0`) : goesTo(after(flow, place)), 'false');
    } else if ('go' in step) arrow(place, nodeOf(`parts.${step.go}.0`));
    else if ('end' in step) arrow(place, goesTo(undefined, step.end));
    else if (isBranching(step)) {
      const ways = outcomes.map((outcome) => ({ outcome, ...targetOf(step, outcome) }));
      for (const edge of new Set(ways.map((way) => way.edge))) {
        const by = ways.filter((way) => way.edge === edge);
        const [first] = by;
        if (first)
          follow(
            place,
            edge,
            first.key,
            first.target,
            by.map(({ outcome }) => outcome),
          );
      }
    } else if (!('handoff' in step)) arrow(place, goesTo(after(flow, place)));
  }
  return [...lines, ...[...ends].map((outcome) => `  end_${outcome}([${quoted(outcome)}])`), ''].join('\n');
};
