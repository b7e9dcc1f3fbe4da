// The first thing of a program: on a Node that is too old, it says so. Nothing else may be imported here, since what it
// imports would be linked, and fail, before.

/** As `engines` in package.json. */
const [needed, minor] = [22, 19] as const;

/** Loads and runs the program, or ends with a sentence and 78 (EX_CONFIG). */
export const runOnSupportedNode = async (load: () => Promise<unknown>, version: string = process.versions.node): Promise<void> => {
  const [major = 0, its = 0] = version.split('.').map(Number);
  if (major > needed || (major === needed && its >= minor)) return void (await load());
  console.error(`Node ${needed}.${minor} or later is needed. This is Node ${version}.`);
  process.exitCode = 78;
};
