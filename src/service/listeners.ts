// Telling whoever watches a request that it changed. Only a hint: what changed is read from the database.

export interface Listeners {
  /** Calls `changed` after each change of a request, until the returned function is called. */
  on(requestId: string, changed: () => void): () => void;
  /** Calls `changed` after each change of any request. */
  onAny(changed: () => void): void;
  tell(requestId: string): void;
}

export const makeListeners = (): Listeners => {
  const listening = new Map<string, Set<() => void>>();
  const always: (() => void)[] = [];
  return {
    on: (requestId, changed) => {
      const here = listening.get(requestId) ?? new Set();
      listening.set(requestId, here.add(changed));
      return () => {
        here.delete(changed);
        if (here.size === 0 && listening.get(requestId) === here) listening.delete(requestId);
      };
    },
    onAny: (changed) => {
      always.push(changed);
    },
    tell: (requestId) => {
      for (const changed of always) changed();
      for (const changed of [...(listening.get(requestId) ?? [])]) changed();
    },
  };
};
