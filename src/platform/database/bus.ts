// Signals between parts of a process, and between processes. Best effort: losing one must only cost time.
import { EventEmitter } from 'node:events';

export interface Bus {
  /**
   * Tells every listener of the topic; those in this process before it returns. Never throws; a signal that cannot be
   * sent is lost.
   */
  publish(topic: string, message?: string): void;
  /**
   * Listens until the returned function is called. A call without a message may mean that some were missed: look at
   * everything.
   */
  subscribe(topic: string, hear: (message?: string) => void): () => void;
  close(): Promise<void>;
}

export const makeBus = (): Bus => {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  // The prefix matters: an emitter treats the name `error` specially.
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
