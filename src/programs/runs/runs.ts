// Flows that programs run: each in its own conversation, stored like a chat's.

import type { Activity } from 'botframework-schema';
import { makeOpenTurn, notifyChats, type TurnLogic, turnKey } from '../../bot/index.ts';
import type { Log } from '../../platform/log.ts';
import type { BotStateStore } from '../../storage/index.ts';
import { type CallingProgram, referenceOf } from '../program.ts';
import type { FlowAct, FlowRun, FlowRunState } from './flow-run.ts';
import type { InnerTurns } from './inner-turns.ts';

export interface RunsParts {
  readonly turns: InnerTurns;
  /** Runs a turn of a program's flow. */
  readonly runTurn: TurnLogic;
  readonly states: Pick<BotStateStore, 'read'>;
  readonly newId: () => string;
  readonly log: Log;
}

export const makeRuns = ({ turns, runTurn, states, newId, log }: RunsParts) => {
  const take = (id: string, program: CallingProgram, activity: Partial<Activity>, language?: string) => {
    const { bot, user, ...reference } = referenceOf(id, program, language);
    return turns.take({ ...reference, from: user, recipient: bot, ...activity } as Activity, (context) => runTurn(context));
  };
  const act = (value: FlowAct): Partial<Activity> => ({ type: 'event', name: 'flow', value });
  return {
    /** A run of this program; `undefined`: none. */
    find: async (id: string, program: CallingProgram): Promise<FlowRun | undefined> => {
      const key = turnKey(referenceOf(id, program));
      const { [key]: kept } = await states.read([key]);
      const { run }: FlowRunState = JSON.parse(kept?.json ?? '{}');
      return run?.owner === program.name ? run : undefined;
    },
    /** Starts it. A repeat with the same id starts nothing. */
    begin: (id: string, program: CallingProgram, begin: Extract<FlowAct, { kind: 'begin' }>, language?: string): Promise<void> =>
      take(id, program, { ...act(begin), id: `${id}:begin` }, language),
    answer: (id: string, program: CallingProgram, text: string): Promise<void> => take(id, program, { type: 'message', text, id: newId() }),
    cancel: (id: string, program: CallingProgram): Promise<void> => take(id, program, { ...act({ kind: 'cancel' }), id: newId() }),
    /** Delivers outcomes to runs. */
    notify: notifyChats(makeOpenTurn(turns, log), runTurn),
  };
};
