// Word from one part to others, and from one process to others. Best effort by design: losing it must only cost time.
import { EventEmitter } from 'node:events';

export interface Bus {
  /** Tells every listener of the topic, those in this process at once. Never throws; what cannot be told is lost. */
  publish(topic: string, message?: string): void;
  /** Listens until the returned function is called. A call without a message may also mean that some were missed: look at everything. */
  subscribe(topic: string, hear: (message?: string) => void): () => void;
  close(): Promise<void>;
}

/** A bus within this process. */
export const makeBus = (): Bus => {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  // A prefix, because an emitter treats the name `error` in a way of its own.
  const name = (topic: string) => `topic ${topic}`;
  return {
    publish: (topic, message) => {
      emitter.emit(name(topic), message);
    },
    subscribe: (topic, hear) => {
      emitter.on(name(topic), hear);
      return () => emitter.off(name(topic), hear);
    },
    close: async () => {
      emitter.removeAllListeners();
    },
  };
};
