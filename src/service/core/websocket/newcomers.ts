// Sockets without a known token yet: anybody can open them, so each network may have only a few at a time.

/** @param max - how many one network may have */
export const makeNewcomers = (max: number) => {
  const counts = new Map<string, number>();
  const countOf = (network: string) => counts.get(network) ?? 0;
  return {
    /** Whether a network has reached its limit. */
    isFull: (network: string): boolean => countOf(network) >= max,
    /** Adds a socket, and returns the function that removes it, once. */
    enter: (network: string): (() => void) => {
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
