// A bot's flows as its conversation uses them: the dialog that runs them, their entries in the menu, and the phrases
// that start them.

import type { Texts } from '../../cards/index.ts';
import {
  AppComponent,
  type AppDialog,
  type AppEnding,
  appDialogs,
  chatLanguages,
  corrected,
  type Flows,
  type FlowWish,
  interruption,
  type KnownWords,
  specificityOf,
  turnOf,
  vocabularyBeside,
} from '../../dialogs/index.ts';
import { type AppId, appIds } from '../contract/index.ts';
import { describedFlows, offeredFlows } from './described.ts';
import { faultLine } from './grammar/fault.ts';
import { type FlowSource, offers } from './grammar/schema.ts';
import { namesNothing } from './grammar/step-description.ts';
import { declared } from './grammar/value-types.ts';
import type { LoadedFlows } from './load-flows.ts';
import { askDialogs } from './running/ask.ts';
import { report, reportEnd } from './running/events.ts';
import { writingIn } from './running/readings.ts';
import type { Frame, RunState } from './running/run-state.ts';
import { Runner, type RunnerParts } from './running/runner.ts';
import { ComponentDialog, type DialogContext, type DialogTurnResult, DialogTurnStatus } from './sdk.ts';
import { runIn } from './versions/in-flight.ts';
import { type Given, phraseIn, plainOf, wordsOfPhrases } from './wishes.ts';

const appDialog = (app: AppId) => appDialogs[app] as AppDialog;

/** Runs the flow that it was started with; ends with a `FlowEnding`, or with what the customer left it for. */
class FlowDialog extends ComponentDialog<FlowWish> {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    super('flow');
    this.#parts = parts;
    this.addDialog(new Runner(parts));
    const unnamed = (dc: DialogContext) => reportUnnamed(parts, dc.parent ?? dc);
    for (const app of appIds) this.addDialog(new AppComponent(appDialog(app), { asksAgain: false }, unnamed));
    for (const [name, app] of Object.entries(offers))
      this.addDialog(new AppComponent(appDialog(app), { id: `choose-${name}`, choosesOnly: true }));
    for (const question of askDialogs()) this.addDialog(question);
  }

  /** Apps handle commands themselves; an answer to a flow's question may be a command too. */
  protected override async onContinueDialog(inner: DialogContext): Promise<DialogTurnResult> {
    const open = inner.activeDialog?.id;
    if (open !== 'ask' && open !== 'ask-words') return super.onContinueDialog(inner);
    const state = inner.stack.at(0)?.state as RunState;
    const interrupted = await interruption(inner, state.frames[0]?.flow ?? '');
    // Only apps ask for the customer's number: here a number is an ordinary answer.
    if (!interrupted || interrupted.kind === 'number') return super.onContinueDialog(inner);
    if (interrupted.kind === 'handled') return { status: DialogTurnStatus.waiting };
    reportEnd(this.#parts.observe, inner.context, state, 'left');
    await inner.cancelAllDialogs();
    return { status: DialogTurnStatus.complete, result: interrupted.ending satisfies AppEnding };
  }
}

/** Reports that the file names something that the service does not offer, if the run is in the file's version. */
const reportUnnamed = ({ current, observe }: RunnerParts, dc: DialogContext): void => {
  const state = dc.stack.at(0)?.state as RunState;
  const { flow: name, at } = state.frames.at(-1) as Frame;
  const { flows } = current();
  const flow = flows.get(name);
  if (!flow || at === undefined || flows.get(state.frames[0]?.flow ?? '')?.version !== state.flowVersion) return;
  const warning = namesNothing(flow, at);
  if (!warning) return;
  // Words from a file are not personal data.
  turnOf(dc.context).services.log.warn({ component: 'flows', operation: `${name} ${at}`, reason: 'names_nothing' }, faultLine(warning));
  report(observe, dc.context, state, { warning });
};

/** The words of the flows' phrases in each language, to which typing mistakes are corrected. */
const vocabularies = new WeakMap<LoadedFlows, Map<string, KnownWords>>();

const vocabularyIn = (loaded: LoadedFlows, t: Texts): KnownWords => {
  const known = vocabularies.get(loaded) ?? new Map<string, KnownWords>();
  vocabularies.set(loaded, known);
  const words = () => [...loaded.flows.values()].flatMap(({ source }) => wordsOfPhrases(source, t.language));
  const made = known.get(t.language) ?? vocabularyBeside(words(), t);
  known.set(t.language, made);
  return made;
};

/** Whether the words that were found are the customer's own. A name is not to be corrected into a word of a phrase. */
const isSaid = (inputs: Given, { needs = {} }: FlowSource, typed: string): boolean => {
  const said = plainOf(typed);
  return Object.entries(needs).every(([name, written]) => {
    const value = inputs[name];
    const { type } = declared(written);
    return (type !== 'text' && type !== 'email') || typeof value !== 'string' || said.includes(value);
  });
};

/** The flows at each turn: `current` may return others after a reload. */
export const makeFlows = (parts: RunnerParts): Flows => ({
  dialog: new FlowDialog(parts),

  offered: (t) => offeredFlows(parts.current(), t),

  described: (t) => describedFlows(parts.current(), t),

  dropped: (context, dialogs) => {
    const run = runIn({ dialogs });
    const [outermost] = run?.frames ?? [];
    if (!run || !outermost) return undefined;
    turnOf(context).afterwards.push(async () => reportEnd(parts.observe, context, run, 'failure'));
    return { kind: 'flow-ended', flow: outermost.flow, status: 'failure', reason: 'outdated', gives: {} };
  },

  wishIn: (hearing, typed) => {
    const { services, t } = hearing;
    const said = writingIn(hearing);
    const loaded = parts.current();
    const flowsIn = (words: string, languages: readonly string[]) =>
      [...loaded.flows.values()]
        .flatMap(({ name, source }) => {
          const match = phraseIn(source, words, languages, said);
          return match && (words === typed || isSaid(match.inputs, source, typed)) ? [{ flow: name, ...match }] : [];
        })
        .toSorted((a, b) => b.length - a.length);
    const exact = flowsIn(typed, [t.language, ...chatLanguages]);
    const meant = exact.length > 0 ? typed : corrected(plainOf(typed), vocabularyIn(loaded, t));
    const [first, second] = meant === typed ? exact : flowsIn(meant, [t.language]);
    if (!first || first.length === second?.length || first.length < specificityOf(meant, t, services.apps)) return undefined;
    return { flow: first.flow, words: typed, inputs: first.inputs };
  },
});
