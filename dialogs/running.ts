// What the desk may know of a chat that the bot has to itself: where it stands, and nothing of what was said.
import { apps, isAppId } from '../src/contract/index.ts';
import type { RunningChat, RunningStanding } from '../src/handoff/index.ts';
import { maskPhoneNumber } from '../src/platform/masks.ts';
import { verificationState } from '../src/verification/index.ts';
import { innermost } from './innermost.ts';
import { type DialogContext, TurnContext } from './sdk.ts';
import { isShared, isSkill, type Turn } from './turn.ts';

/** What it waits for, and in which app or flow. */
const stageIn = (dc: DialogContext): Pick<RunningChat, 'app' | 'flow' | 'waitsFor'> => {
  const [outer, inner] = [dc.activeDialog?.id, dc.child?.activeDialog?.id];
  const app = [outer, inner].find((id) => isAppId(id));
  const run = outer === 'flow' ? (dc.child?.stack.at(0)?.state as { readonly frames?: readonly { readonly flow: string }[] }) : undefined;
  const flow = run?.frames?.[0]?.flow;
  const waits = innermost(dc)?.id === 'wait';
  return {
    ...(app && { app }),
    ...(flow !== undefined && { flow }),
    waitsFor: waits ? (app && apps[app].answeredIn === 'chat' ? 'code' : 'device') : app || flow ? 'answer' : 'menu',
  };
};

const standingOf = ({ context, memory, services }: Turn): RunningStanding => {
  const state = verificationState(memory, TurnContext.getConversationReference(context.activity), services.clock.now());
  if (state.state !== 'verified') return state;
  const { at, method, until } = state;
  return { state: 'verified', at, method, until };
};

/**
 * How the chat is listed after this turn; `undefined`: it is not, because nobody has spoken in it yet or the customer has
 * left, because a person has it or is waited for, or because nobody could write in it.
 */
export const runningIn = (dc: DialogContext, turn: Turn): RunningChat | undefined => {
  const { channel, context, memory, person, services, t } = turn;
  const open = person !== undefined && person.state !== 'over';
  if (!services.handoffs?.seesRunning || !dc.activeDialog || !memory.owner || open || turn.left) return undefined;
  if (channel.voice || isShared(context.activity) || isSkill(turn)) return undefined;
  const stage = stageIn(dc);
  const what = [stage.waitsFor, stage.flow, stage.app].join(' ');
  if (memory.waits?.what !== what) memory.waits = { what, since: services.clock.now() };
  return {
    ...stage,
    address: services.chatOf(context.activity).address,
    channel: context.activity.channelId,
    ...(memory.phoneNumber !== undefined && { phone: maskPhoneNumber(memory.phoneNumber) }),
    language: t.language,
    since: memory.waits.since,
    verification: standingOf(turn),
  };
};
