// The state of an interaction or flow as its program may see it, without anything that an unverified chat may not see.
import { createHash } from 'node:crypto';
import { apps, compareCode } from '../contract/index.ts';
import { type Interaction, keptOf } from '../interactions/index.ts';
import { iso } from '../platform/time/clock.ts';
import type { FlowRun } from './runs/flow-run.ts';
import type { View } from './schemas.ts';

const { tries } = apps['one-time-passcode'].operations.check;

/** With the name of this state, which is the same on every replica and after a restart. */
const withCursor = (view: Omit<View, 'cursor'>): View => ({
  ...view,
  cursor: createHash('sha256').update(JSON.stringify(view)).digest('base64url').slice(0, 22),
});

const steps = ['sent', 'opened', 'started'] as const;

/** Whether it is waiting for its outcome, or about to. */
const isPending = ({ state }: Interaction) => state === 'intended' || state === 'waiting';

/** The details of a result: what is stored of it, without the fields that every result has. */
const detailsOf = ({ app, outcome }: Interaction) => {
  if (outcome?.status !== 'success' || !outcome.result) return undefined;
  const shown: readonly string[] = apps[app].storedFields;
  return Object.fromEntries(Object.entries(keptOf(outcome.result)).filter(([name]) => shown.includes(name)));
};

const outcomeOf = (interaction: Interaction): NonNullable<View['outcome']> => {
  const { outcome, refusal, state } = interaction;
  if (!outcome) return state === 'refused' ? { status: 'refused', ...(refusal && { reason: refusal }) } : { status: 'unknown' };
  const { at, result, status } = outcome;
  const details = detailsOf(interaction);
  return { status, at: iso(at), ...(result?.reason !== undefined && { reason: result.reason }), ...(details && { details }) };
};

/** The request that the customer has, or had. */
const aboutOf = (interaction: Interaction, showsCode: boolean) => {
  const { app, customerRef, deadline, mistyped, progress, requestId, subject } = interaction;
  const pending = isPending(interaction);
  return {
    app,
    customerRef,
    ...(requestId !== undefined && { requestId }),
    ...(subject !== undefined && { subject }),
    ...(pending && showsCode && requestId !== undefined && { compareCode: compareCode(requestId) }),
    ...(pending && { progress: steps.filter((step) => progress[step] !== undefined), expiresAt: iso(deadline) }),
    ...(pending && apps[app].answeredIn === 'chat' && { needs: { kind: 'passcode' as const, triesLeft: tries - mistyped } }),
  };
};

/** An app that a program started. */
export const viewOf = (interaction: Interaction, showsCode: boolean): View =>
  withCursor({
    interactionId: interaction.id,
    ...(isPending(interaction) ? { state: 'pending' } : { state: 'ended', outcome: outcomeOf(interaction) }),
    ...aboutOf(interaction, showsCode),
  });

/** A flow that a program started, with its current or last interaction. */
export const runView = (id: string, run: FlowRun, interaction: Interaction | undefined, showsCode: boolean): View => {
  const { asks, ended, flow, said } = run;
  const now = interaction && aboutOf(interaction, showsCode);
  const { needs: _, ...was } = now ?? { needs: undefined };
  return withCursor({
    ...was,
    interactionId: id,
    flow,
    messages: said,
    ...(ended
      ? {
          state: 'ended',
          outcome: {
            ...{ status: ended.status, at: iso(ended.at), outputs: ended.gives },
            ...(ended.reason && { reason: ended.reason }),
          },
        }
      : {
          state: 'pending',
          ...(asks && { needs: { kind: 'answer', ...asks, choices: [...asks.choices] } }),
          ...(!asks && now?.needs && { needs: now.needs }),
        }),
  });
};
