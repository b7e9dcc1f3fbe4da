/** The CPU time (ms) of some work: other processes of this machine do not count. */
export const cpuTimeOf = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  return process.cpuUsage(before).user / 1000;
};
