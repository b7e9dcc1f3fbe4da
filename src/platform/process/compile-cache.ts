// Keeps compiled code between starts of an installed program (nodejs.org/api/module.html, "Module compile cache"): a
// fifth of the CPU time of a start (decision 0148).
import { channel } from 'node:diagnostics_channel';
import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * The folder for compiled code, created if missing. Whoever can write to it decides what runs. It is therefore used only
 * if it and DATA_DIR, which must exist, are folders of this user that nobody else can write to.
 */
export const compiledFolder = (dataDir: string, uid = process.getuid?.()): string | undefined => {
  const isOurs = (folder: string) => {
    const there = lstatSync(folder, { throwIfNoEntry: false });
    return there?.isDirectory() === true && there.uid === uid && (there.mode & 0o022) === 0;
  };
  if (!isOurs(dataDir)) return undefined;
  const folder = join(dataDir, 'compiled');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return isOurs(folder) ? folder : undefined;
};

/** Read directly: the code that reads settings is itself among the compiled code. */
const dataDirOf = ({ DATA_DIR }: NodeJS.ProcessEnv) => DATA_DIR || '.data';

/**
 * From now on, loads compiled code from the folder, and saves it there when the process ends. Does nothing if an
 * operator has decided otherwise (NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE), or when running from sources. A
 * cache that cannot be used is no error.
 */
export const keepCompiled = (): void => {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (import.meta.url.endsWith('.ts') || NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const folder = compiledFolder(dataDirOf(process.env));
    if (folder !== undefined) enableCompileCache(folder);
  } catch {
    // A full or read-only disk only makes the start slower, and the storage reports what is wrong with it.
  }
};

/** One for the process: an install has several bundles, each with a module like this one. */
const started = channel('countersign:started');

/** The program has started: what was compiled until now is what its next start will need. */
export const keepStarted = (): void => started.publish(undefined);

/** Calls once the program has started. */
export const whenStarted = (act: () => void): void => {
  const once = () => {
    started.unsubscribe(once);
    act();
  };
  started.subscribe(once);
};
