// Can a program keep its state in the folder that DATA_DIR names?
import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Finding, ok, unknown, wrong } from './finding.ts';

/** Bytes that should be free. */
const roomNeeded = 100 * 1024 * 1024;

export const systemCode = (fault: unknown) => (fault as NodeJS.ErrnoException).code ?? 'unknown';

/** Only reads: the program may be running on the folder. */
export const checkFolder = async (dataDir: string): Promise<Finding> => {
  const folder = resolve(dataDir);
  try {
    const there = await nearest(folder);
    if (!(await stat(there)).isDirectory()) return wrong(`DATA_DIR: ${there} is not a folder.`);
    await access(there, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(there);
    if (bavail * bsize < roomNeeded) {
      return wrong(`DATA_DIR: the disk of ${there} is nearly full. Free some space: if nothing can be stored, nothing is sent.`);
    }
    if (there !== folder) return unknown(`${folder} does not exist yet; the first start creates it.`);
  } catch (fault) {
    return wrong(`DATA_DIR: ${folder} cannot be written (${systemCode(fault)}). Choose a folder this user may write to.`);
  }
  return ok('writable.');
};

/** The folder itself, or the nearest existing one above it. */
const nearest = async (folder: string): Promise<string> => {
  for (let at = folder; ; at = dirname(at)) {
    try {
      await access(at);
      return at;
    } catch (fault) {
      if (systemCode(fault) !== 'ENOENT' || at === dirname(at)) throw fault;
    }
  }
};
