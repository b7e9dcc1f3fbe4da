// The customer's actions while an interaction waits: type a code, have it sent again, cancel.
import { sleep } from '../../platform/time/sleep.ts';
import type { Interaction } from '../interaction.ts';
import type { InteractionsParts, Lifecycle } from '../lifecycle.ts';
import { isCalledOff } from '../starting/alike.ts';
import { type Check, checkAlike, checkPasscode } from './passcode.ts';
import { type Cancel, cancel, type Resend, resend } from './withdraw.ts';

/** How long (ms) a wrong code takes if hit and miss must look alike: by then a healthy service has checked it. */
const checkAnswerAfter = 1_000;

/** Checks a typed passcode. */
export const checkCode = async (parts: InteractionsParts, lifecycle: Lifecycle, id: string, code: string): Promise<Check> => {
  const checking = { ...parts, decide: lifecycle.decide.bind(lifecycle) };
  const check = (interaction: Interaction) => (interaction.alike ? checkAlike : checkPasscode)(checking, interaction, code);
  const interaction = await parts.store.get(id);
  const waiting = () => onWaiting<Check>(parts, lifecycle, id, { kind: 'over' }, check);
  if (!interaction?.alike) return waiting();
  // The service compares a code only if the request exists. The difference in time would reveal whether it does.
  const answered = sleep(checkAnswerAfter, lifecycle.tasks.stopped);
  // Its chat sees it as waiting, whether it has been sent or not.
  const checked = await (interaction.state === 'intended' ? check(interaction) : waiting());
  if (checked.kind !== 'match') await answered;
  return checked;
};

/** Sends the request again. */
export const resendWaiting = async (parts: InteractionsParts, lifecycle: Lifecycle, id: string): Promise<Resend> => {
  if ((await parts.store.get(id))?.alike) return { kind: 'unsupported' };
  return onWaiting<Resend>(parts, lifecycle, id, { kind: 'over' }, async (interaction) => {
    const answer = await resend(parts, interaction);
    const now = answer.kind === 'resent' ? await parts.store.get(id) : undefined;
    // A new request has a new result to watch for, and may be valid for longer; one that has ended has a result by now.
    const renewed = now && (now.requestId !== interaction.requestId || now.deadline !== interaction.deadline);
    if (renewed || answer.kind === 'over') await lifecycle.rewatch(interaction);
    return answer;
  });
};

/** Cancels the interaction. */
export const cancelInteraction = async (parts: InteractionsParts, lifecycle: Lifecycle, id: string): Promise<Cancel> => {
  const interaction = await parts.store.get(id);
  if (!interaction?.alike) return cancelWaiting(parts, lifecycle, id);
  // Neither the answer nor what is then open may depend on whether there is a request to withdraw.
  await parts.store.requestCancel(id);
  lifecycle.tasks.run(interaction, 'cancel', async () => {
    await lifecycle.tasks.finished(interaction, 'send');
    const now = await parts.store.takeOver(id);
    if (now?.state === 'waiting') await cancelWaiting(parts, lifecycle, id);
    else if (now && isCalledOff(now)) await parts.store.apply(now, { kind: 'delivered' });
  });
  return 'released';
};

const cancelWaiting = (parts: InteractionsParts, lifecycle: Lifecycle, id: string): Promise<Cancel> =>
  onWaiting<Cancel>(parts, lifecycle, id, 'over', async (interaction) => {
    // Stops watching for the moment: the service reports this withdrawal like one that it made itself.
    const heard = lifecycle.watchers.heard(id);
    await lifecycle.watchers.stop(id);
    const { decide, expire } = lifecycle;
    try {
      return await cancel({ ...parts, decide: decide.bind(lifecycle), expire: expire.bind(lifecycle) }, interaction, heard);
    } finally {
      await lifecycle.rewatch(interaction, heard);
    }
  });

/**
 * Acts on an interaction that still waits. This process claims it, so that it is watched and delivered here from now
 * on.
 */
const onWaiting = async <Answer>(
  { store }: InteractionsParts,
  lifecycle: Lifecycle,
  id: string,
  over: Answer,
  act: (interaction: Interaction) => Promise<Answer>,
): Promise<Answer> => {
  const interaction = await store.takeOver(id);
  if (!interaction) return over;
  lifecycle.resume(interaction);
  return act(interaction);
};
