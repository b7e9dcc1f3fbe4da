// What the life of an interaction needs from outside this room.
import type { Intent, Interaction, Step } from './interaction.ts';
import type { Happening } from './states.ts';

/** Durable interactions. Every promise resolves only after what it wrote is on disk. */
export interface InteractionStore {
  /** Records an intent; from here on it cannot be forgotten. */
  record(intent: Intent): Promise<Interaction>;
  get(id: string): Promise<Interaction | undefined>;
  /** Applies a happening if the interaction's state allows it; answers the new row, or `undefined` when it changed nothing. */
  apply(id: string, happening: Happening): Promise<Interaction | undefined>;
  /** Notes a step the first time it is heard of while waiting; `undefined` when it was known or comes too late. */
  advance(id: string, step: Step, at: number): Promise<Interaction | undefined>;
  /** Everything that is not over: not yet decided, or decided but not told. Oldest first. */
  unfinished(): Promise<Interaction[]>;
  /** The interactions of one chat that still wait for their outcome, oldest first. */
  waitingIn(conversation: string): Promise<Interaction[]>;
}

/** Tells the chat. Both calls may be repeated after a crash; the chat's side drops what it has already shown where it can. */
export interface Teller {
  /** Tells how an interaction ended (decided, refused or unknown). `gone`: the chat can never be reached again. Throws when it may work later. */
  outcome(interaction: Interaction): Promise<'told' | 'gone'>;
  /** Shows the steps so far. Best effort: a failure costs only a stale card. */
  progress(interaction: Interaction): Promise<void>;
}

/** What a proactive turn brings into a chat. */
export interface News {
  readonly kind: 'outcome' | 'progress';
  readonly interaction: Interaction;
}
