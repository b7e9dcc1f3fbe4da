// Word that a conversation changed, so that its open streams look at once. Losing it costs time only: the next word, or the next
// connection, brings what was missed.
import { EventEmitter } from 'node:events';
import type { Outgoing } from './activity.ts';

/**
 * How the streams of a conversation hear of changes. Here within one process; between several, a channel of the database can carry the
 * same two calls.
 */
export interface Signals {
  /** Something changed. `passing`: an activity that is shown now and not kept (typing). */
  notify(conversationId: string, passing?: Outgoing): void;
  /** Listens until the returned function is called. */
  subscribe(conversationId: string, listener: (passing?: Outgoing) => void): () => void;
}

export const makeSignals = (): Signals => {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  // A prefix, because an emitter treats the name `error` in a way of its own.
  const name = (conversationId: string) => `chat ${conversationId}`;
  return {
    notify: (conversationId, passing) => {
      emitter.emit(name(conversationId), passing);
    },
    subscribe: (conversationId, listener) => {
      emitter.on(name(conversationId), listener);
      return () => emitter.off(name(conversationId), listener);
    },
  };
};
