// How much this machine has room for.

/** File descriptors that are not sockets of what waits. */
const others = 500;

/**
 * As many as a process may have sockets for; says so where that is fewer than wanted. Node raises its own limit to what
 * is allowed.
 */
export const asManyAsFit = (wanted: number, say: (words: string) => void): number => {
  const report = process.report.getReport() as unknown as { userLimits: { open_files: { hard: number | 'unlimited' } } };
  const { hard } = report.userLimits.open_files;
  const room = hard === 'unlimited' ? wanted : hard - others;
  if (room >= wanted) return wanted;
  say(`a process may open ${hard} files here, so ${room} wait instead of ${wanted}`);
  return room;
};
