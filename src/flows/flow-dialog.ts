// The dialog that runs flows: the runner, and under it the apps and the questions, all in one stack.
import { AppComponent, type AppDialog, type AppEnding, appDialogs, type FlowWish, interruption } from '../../dialogs/index.ts';
import { type AppId, appIds } from '../contract/index.ts';
import { askDialogs } from './ask.ts';
import { tellEnd } from './events.ts';
import type { RunState } from './run-state.ts';
import { Runner, type RunnerParts } from './runner.ts';
import { offers } from './schema.ts';
import { ComponentDialog, type DialogContext, type DialogTurnResult, DialogTurnStatus } from './sdk.ts';
import { tellUnnamed } from './unnamed.ts';

const appDialog = (app: AppId) => appDialogs[app] as AppDialog;

/** Runs whichever flow it is begun with; ends with a `FlowEnding`, or with what the customer left it for. */
export class FlowDialog extends ComponentDialog<FlowWish> {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    super('flow');
    this.#parts = parts;
    this.addDialog(new Runner(parts));
    const unnamed = (dc: DialogContext) => tellUnnamed(parts, dc.parent ?? dc);
    for (const app of appIds) this.addDialog(new AppComponent(appDialog(app), { asksAgain: false, unnamed }));
    for (const [name, app] of Object.entries(offers))
      this.addDialog(new AppComponent(appDialog(app), { id: `choose-${name}`, choosesOnly: true }));
    for (const question of askDialogs()) this.addDialog(question);
  }

  /** An app hears commands by itself; what is said to a question of the flow may be one too. */
  protected override async onContinueDialog(inner: DialogContext): Promise<DialogTurnResult> {
    const open = inner.activeDialog?.id;
    if (open !== 'ask' && open !== 'ask-words') return super.onContinueDialog(inner);
    const state = inner.stack.at(0)?.state as RunState;
    const interrupted = await interruption(inner, state.frames[0]?.flow ?? '');
    // A phone number is the apps' to ask for: said here, it is an answer like any other.
    if (!interrupted || interrupted.kind === 'number') return super.onContinueDialog(inner);
    if (interrupted.kind === 'handled') return { status: DialogTurnStatus.waiting };
    tellEnd(this.#parts.observe, inner.context, state, 'left');
    await inner.cancelAllDialogs();
    return { status: DialogTurnStatus.complete, result: interrupted.ending satisfies AppEnding };
  }
}
