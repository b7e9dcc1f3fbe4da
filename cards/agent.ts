// How it stands with a person: asked for, in the queue, here, gone, or not to be had.
import type { CardAction } from './actions.ts';
import type { CardMessage } from './message.ts';
import { notice } from './notice.ts';
import type { Texts } from './texts.ts';

export interface AgentStatus {
  readonly state: 'waiting' | 'joined' | 'ended' | 'unavailable';
  /** The agent's name as customers may see it. */
  readonly name?: string;
  /** Place in the queue, from 1. */
  readonly position?: number;
  readonly actions: readonly CardAction[];
}

const tones = { waiting: 'neutral', joined: 'good', ended: 'neutral', unavailable: 'warning' } as const;

/** Shows how it stands with a person. */
export const agent = ({ state, name, position, actions }: AgentStatus, t: Texts): CardMessage => {
  const title = state === 'joined' && name ? t('cards.agent.joined.named', { name }) : t(`cards.agent.${state}.title`);
  const text =
    state === 'waiting' && position !== undefined ? t('cards.agent.waiting.position', { position }) : t(`cards.agent.${state}.text`);
  return notice({ title, text, tone: tones[state], actions }, t);
};
