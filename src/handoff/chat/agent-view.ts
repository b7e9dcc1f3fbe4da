// What agents may see of a chat: the last lines, for an agent who takes it over, without those that are private to the
// customer; and the current step while the bot has the chat, without anything that was said.
import { isShared, isSkill, type Line, openIn, verificationOf, wordsIn } from '../../../dialogs/index.ts';
import { type AppId, apps, isAppId } from '../../contract/index.ts';
import { hidden, withoutSecrets } from '../../platform/text/possible-codes.ts';
import { type VerificationState, withoutCustomer } from '../../verification/index.ts';
import type { DialogContext } from '../sdk.ts';
import type { AgentTurn } from './agent-turn.ts';

/** A chat that is with the bot, as agents may see it before they join: nothing of what was said. */
export interface RunningChat {
  /** Where the chat is reached. */
  readonly address: string;
  /** The channel's name. */
  readonly channel: string;
  /** BCP 47. */
  readonly language: string;
  readonly app?: AppId;
  readonly flow?: string;
  /** `menu`: the customer's choice. `answer`: an answer. `code`: one typed in the chat. */
  readonly waitsFor: 'menu' | 'answer' | 'code' | 'device';
  /** Since when it has been waiting for that (epoch ms). */
  readonly since: number;
  /** Without the customer. */
  readonly verification: VerificationState;
}

const longestLine = 500;

/** Text as a line of a transcript: without secrets, and shortened. */
export const shortened = (text: string): string => {
  const plain = withoutSecrets(text);
  return plain.length > longestLine ? `${plain.slice(0, longestLine - 1).toWellFormed()}…` : plain;
};

/** The number of lines kept; agents do not read more than that. */
const maxLines = 40;

/** The lines of a turn, whole. */
const linesOf = (turn: AgentTurn): readonly Line[] => {
  const { input, notes, services } = turn;
  if (!notes) return [];
  const at = services.clock.now();
  const { phone, state } = verificationOf(turn);
  const verified = state === 'verified' ? { verified: true as const, ...(phone !== undefined && { phone }) } : {};
  const line = (from: Line['from'], text: string, agent?: string): Line => ({
    ...{ from, text: withoutSecrets(text), at, ...verified },
    ...(agent !== undefined && { agent }),
  });
  const words = wordsIn(input);
  const typed = words === undefined ? notes.picked : notes.secret ? hidden : words;
  return [...(typed === undefined ? [] : [line('customer', typed)]), ...notes.said.map(({ agent, from, text }) => line(from, text, agent))];
};

/** Adds a turn to the chat's notes. Returns the added lines, whole. */
export const keepNotes = (turn: AgentTurn): readonly Line[] => {
  const { memory } = turn;
  const lines = linesOf(turn);
  const kept = lines.map((line) => ({ ...line, text: shortened(line.text) }));
  if (lines.length > 0) memory.transcript = [...(memory.transcript ?? []), ...kept].slice(-maxLines);
  return lines;
};

/** The lines before this turn and in it. */
export const transcriptOf = (turn: AgentTurn): readonly Line[] => [...(turn.memory.transcript ?? []), ...linesOf(turn)].slice(-maxLines);

/** What the chat waits for, and in which app or flow. */
const stageIn = (dc: DialogContext): Pick<RunningChat, 'app' | 'flow' | 'waitsFor'> => {
  const open = openIn({ dialogStack: dc.stack });
  const [outer, inner] = open;
  const app = [outer?.id, inner?.id].find((id) => isAppId(id));
  // The first dialog in a flow is its run.
  const flow: string | undefined = outer?.id === 'flow' ? outer.state?.dialogs?.dialogStack?.[0]?.state?.frames?.[0]?.flow : undefined;
  const waits = open.at(-1)?.id === 'wait';
  return {
    ...(app && { app }),
    ...(flow !== undefined && { flow }),
    waitsFor: waits ? (app && apps[app].answeredIn === 'chat' ? 'code' : 'device') : app || flow ? 'answer' : 'menu',
  };
};

/**
 * The chat's entry in the list after this turn. `undefined`: it is not listed, because nobody has spoken yet or the
 * customer has left, because an agent has it or is waited for, or because an agent could not write in it.
 */
export const runningIn = (dc: DialogContext, turn: AgentTurn): RunningChat | undefined => {
  const { channel, context, handoffs, left, memory, person, services, t } = turn;
  const open = person !== undefined && person.state !== 'over';
  if (!handoffs?.seesRunning || !dc.activeDialog || !memory.owner || open || left) return undefined;
  if (channel.voice || isShared(context.activity) || isSkill(turn)) return undefined;
  const stage = stageIn(dc);
  const what = [stage.waitsFor, stage.flow, stage.app].join(' ');
  if (memory.waits?.what !== what) memory.waits = { what, since: services.clock.now() };
  return {
    ...stage,
    address: services.chatOf(context.activity).address,
    channel: context.activity.channelId,
    language: t.language,
    since: memory.waits.since,
    verification: withoutCustomer(verificationOf(turn)),
  };
};
