// What happens in flows, for those who watch.
import { turnOf } from '../../dialogs/index.ts';
import type { Fault } from './fault.ts';
import type { StepPlace } from './program.ts';
import type { RunState } from './run-state.ts';
import type { OutcomeName } from './schema.ts';
import type { TurnContext } from './sdk.ts';

export interface FlowEvent {
  /** The flow that was begun and that ended; the one in which a step stands. */
  readonly flow: string;
  readonly version: string;
  /** The conversation, as its channel names it. */
  readonly conversation: string;
  readonly begun?: true;
  /** A step that is come to, but not for another try of it. */
  readonly reached?: StepPlace;
  /** The way on that was taken. */
  readonly edge?: { readonly place: StepPlace; readonly edge: string };
  /** How it ended; `left` when the customer went away to something else. */
  readonly ended?: OutcomeName | 'handoff' | 'left';
  /** The step at which it ended, which may stand in a flow that it runs. */
  readonly at?: { readonly flow: string; readonly place: StepPlace | undefined };
  /** What is wrong with the file, as only the service could know. */
  readonly warning?: Fault;
  /** How long it took (ms), where that is known. */
  readonly took?: number | undefined;
}

export type Observe = ((event: FlowEvent) => void) | undefined;

type What = Omit<FlowEvent, 'conversation' | 'flow' | 'version'>;

/** Reports something in a run: in the flow that it is in now, unless another is named. */
export const report = (
  observe: Observe,
  { activity }: TurnContext,
  { flowVersion: version, frames }: RunState,
  what: What & { readonly flow?: string },
) => observe?.({ flow: frames.at(-1)?.flow ?? '', version, conversation: activity.conversation.id, ...what });

/** Reports the end of a run. */
export const reportEnd = (observe: Observe, context: TurnContext, run: RunState, ended: NonNullable<FlowEvent['ended']>): void => {
  const { begunAt, frames } = run;
  const [outermost, now] = [frames[0], frames.at(-1)];
  const took = begunAt === undefined ? undefined : turnOf(context).services.clock.now() - begunAt;
  report(observe, context, run, { flow: outermost?.flow ?? '', ended, at: { flow: now?.flow ?? '', place: now?.at }, took });
};
