// Sockets that have shown no known token yet: anybody may open one, so that each network has a few at a time only.

export interface Newcomers {
  /** Whether a network has as many as it may. */
  isFull(network: string): boolean;
  /** Counts one in, and answers what counts it out again, once. */
  enter(network: string): () => void;
}

/** @param most - how many one network may have */
export const makeNewcomers = (most: number): Newcomers => {
  const counts = new Map<string, number>();
  const countOf = (network: string) => counts.get(network) ?? 0;
  return {
    isFull: (network) => countOf(network) >= most,
    enter: (network) => {
      counts.set(network, countOf(network) + 1);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        const left = countOf(network) - 1;
        if (left > 0) counts.set(network, left);
        else counts.delete(network);
      };
    },
  };
};
