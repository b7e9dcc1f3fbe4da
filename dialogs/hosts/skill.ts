// Runs the bot as a skill: a root bot begins an app or a flow by an event with its inputs, is told the end, and may end
// it itself.
import type { z } from 'zod';
import { apps, isAppId } from '../../src/contract/index.ts';
import type { Interaction, News } from '../../src/interactions/index.ts';
import { describeIssues, plainly } from '../../src/platform/settings/issues.ts';
import type { AppEnding } from '../asking/app-dialog.ts';
import { wishesLeft } from '../asking/wishes.ts';
import type { MenuAnswer } from '../chat/menu.ts';
import type { DialogContext, DialogTurnResult } from '../sdk.ts';
import { refuseShared, say } from '../turn/activities.ts';
import { callerIn, type FlowEnding, type FlowWish } from '../turn/offered-flows.ts';
import { isShared, type Turn } from '../turn/turn.ts';
import { passOver } from '../waiting/outcome.ts';
import { type actionStatus, appInputs, flowActionInputs } from './app-inputs.ts';
import { appOptionsOf, outcomeOf } from './guest-values.ts';

/** The value of the `endOfConversation` that a root bot gets. */
type SkillEnd = { readonly status: z.output<typeof actionStatus>; readonly [field: string]: unknown };

/** How the SDK names why a conversation ended (`EndOfConversationCodes` of botframework-schema, a const enum). */
const codes = { completed: 'completedSuccessfully', left: 'userCancelled', refused: 'unknown' } as const;

const leaving: ReadonlySet<string> = new Set(['cancelled', 'left', 'agent']);

/** Tells the root bot how it ended. Nothing stays open, and later messages are not read. */
export const endSkill = async (dc: DialogContext, { context, memory }: Turn, end: SkillEnd): Promise<void> => {
  await dc.cancelAllDialogs();
  const { over: _, ...action } = memory.skill ?? {};
  memory.skill = { over: true };
  delete memory.wishes;
  const code = end.message !== undefined ? codes.refused : leaving.has(end.status) ? codes.left : codes.completed;
  const text = typeof end.message === 'string' ? { text: end.message } : {};
  await context.sendActivity({ type: 'endOfConversation', code, ...text, value: { ...action, ...end } });
};

/** What a dialog's end means to the root bot; `undefined` if the conversation continues. */
export const skillEnd = (turn: Turn, ended: MenuAnswer | AppEnding | FlowEnding | undefined): SkillEnd | undefined => {
  switch (ended?.kind) {
    case 'ended':
      return ended.interaction.outcome?.status === 'success' && wishesLeft(turn) ? undefined : endOf(turn, ended.interaction);
    case 'flow-ended': {
      const { flow, gives, reason, status } = ended;
      if (status === 'success' && wishesLeft(turn)) return undefined;
      return { ...gives, flow, status: status === 'handoff' ? 'agent' : status, ...(reason && { reason }) };
    }
    case 'agent':
      return { status: 'agent', reason: ended.escalation.reason };
    case 'left':
      return { status: 'left', why: ended.why };
    case undefined:
    case 'none':
      return { status: 'left', why: 'menu' };
    default:
      return undefined;
  }
};

/** The outcome of a request, flattened, with the stored part of its result. */
const endOf = (turn: Turn, interaction: Interaction): SkillEnd => {
  const { result, ...said } = { result: undefined, ...outcomeOf(turn.context, interaction) };
  const kept: Readonly<Record<string, unknown>> = { ...result };
  const stored: readonly string[] = apps[interaction.app].storedFields;
  // If the chat may not learn whether there was a request, the request has no name.
  const unnamed = interaction.blindLookup && said.status !== 'success' ? { requestId: undefined } : {};
  return { ...Object.fromEntries(stored.filter((name) => name in kept).map((name) => [name, kept[name]])), ...said, ...unnamed };
};

/**
 * Handles what only a root bot sends: the event that begins an action, the one that repeats the open question, and
 * the end of the conversation, which `leave` handles. Returns `false` for everything else.
 */
export const handleRoot = async (
  dc: DialogContext,
  turn: Turn,
  { leave, proceed }: { readonly leave: () => Promise<void>; readonly proceed: (result: DialogTurnResult) => Promise<void> },
): Promise<boolean> => {
  const { type, name = '', value } = turn.context.activity;
  if (type === 'endOfConversation') {
    await leave();
    await cancelAll(turn);
    return true;
  }
  // No greeting: the customer talks to the root bot.
  if (type !== 'event') return type === 'conversationUpdate';
  // `DialogEvents.repromptDialog` of botbuilder-dialogs: the root bot has said something in between.
  if (name === 'repromptDialog') {
    if (dc.activeDialog) await dc.repromptDialog();
    return true;
  }
  const schema = inputsOf(turn, name);
  // Root bots have events of their own, which they forward.
  if (!schema && dc.activeDialog) return true;
  turn.memory.skill = schema ? { [isAppId(name) ? 'app' : 'flow']: name } : {};
  if (!schema) {
    await refuse(dc, turn, 'unknown_action', `There is no action ${name}.`);
  } else if (isShared(turn.context.activity)) {
    await refuseShared(turn);
    await endSkill(dc, turn, { status: 'left', why: 'shared' });
  } else {
    const { success, data, error } = schema.safeParse(without(value), { error: plainly });
    if (success) await proceed(await begin(dc, turn, name, data));
    else
      await refuse(
        dc,
        turn,
        'invalid_inputs',
        describeIssues(error)
          .map(({ path, message }) => `${path || 'value'} ${message}.`)
          .join(' '),
      );
  }
  return true;
};

const refuse = async (dc: DialogContext, turn: Turn, code: string, message: string) => {
  await say(turn, turn.t('conversation.notBegun'));
  await endSkill(dc, turn, { status: 'refused', code, message });
};

/** The customer’s first words were not understood. The root bot knows what they can say. */
export const notUnderstood = (dc: DialogContext, turn: Turn): Promise<void> =>
  refuse(dc, turn, 'not_understood', 'The words name no app and no flow.');

const inputsOf = ({ services, t }: Turn, name: string): z.ZodType<Readonly<Record<string, unknown>>> | undefined => {
  if (isAppId(name)) return services.apps.includes(name) ? appInputs(name) : undefined;
  const wanted = services.flows?.described(t).find(({ flow }) => flow === name);
  return wanted && flowActionInputs(wanted);
};

/** Values that a designer left empty count as missing. */
const without = (value: unknown) => {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== null && given !== ''));
};

/** Begins the app or flow of that name with checked inputs. */
const begin = async (
  dc: DialogContext,
  { memory }: Turn,
  name: string,
  inputs: Readonly<Record<string, unknown>>,
): Promise<DialogTurnResult> => {
  const { phoneNumber, customerRef } = inputs as { readonly phoneNumber?: string; readonly customerRef?: string };
  await dc.cancelAllDialogs();
  delete memory.wishes;
  if (phoneNumber !== undefined) memory.vouchedFor = phoneNumber;
  if (isAppId(name)) return dc.beginDialog(name, appOptionsOf(inputs));
  const wish: FlowWish = { flow: name, words: '', inputs: inputs as FlowWish['inputs'] & object, ...callerIn(phoneNumber, customerRef) };
  return dc.beginDialog('flow', wish);
};

/** The root bot has ended it: open requests are cancelled, and nobody is left to be told. */
const cancelAll = async ({ context, memory, services }: Turn): Promise<void> => {
  memory.skill = { over: true };
  const { conversation } = services.chatOf(context.activity);
  for (const { id } of await services.interactions.waitingIn(conversation)) await services.interactions.cancel(id);
};

/**
 * Handles news that arrive after the end, when the root bot accepts nothing more; `false` if it is still open. A
 * cancelled request counts as delivered; one that ended before is stored as undeliverable.
 */
export const isTooLate = async (turn: Turn, { interaction, kind }: News): Promise<boolean> => {
  if (!turn.memory.skill?.over) return false;
  if (kind !== 'outcome' || turn.memory.told?.includes(interaction.id)) return true;
  if (interaction.outcome?.status === 'cancelled') await passOver(turn, interaction);
  else await turn.services.interactions.markDelivered(interaction, 'unreachable');
  return true;
};
