// Keeps compiled code between starts of an installed program (nodejs.org/api/module.html, "Module compile cache"): a
// fifth of the CPU time of a start (decision 0148).
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

export interface CompiledPlace {
  /** DATA_DIR. */
  readonly dataDir: string;
  /** What the program is called, without a dash. */
  readonly name: string;
  readonly version: string;
}

/**
 * The folder for what is compiled, made where it is missing; those of other versions of the program are removed.
 * Whoever can write to it decides what runs. So there is none unless DATA_DIR and what is in it on the way are folders
 * of this very user to which nobody else may write; nor before there is a DATA_DIR.
 */
export const compiledFolder = ({ dataDir, name, version }: CompiledPlace, uid = process.getuid?.()): string | undefined => {
  const isOurs = (folder: string) => {
    const there = lstatSync(folder, { throwIfNoEntry: false });
    return there?.isDirectory() === true && there.uid === uid && (there.mode & 0o022) === 0;
  };
  const all = join(dataDir, 'compiled');
  const own = join(all, `${name}-${version}`);
  if (!isOurs(dataDir)) return undefined;
  for (const folder of [all, own]) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
    }
    if (!isOurs(folder)) return undefined;
  }
  for (const other of readdirSync(all)) {
    if (other.startsWith(`${name}-`) && other !== `${name}-${version}`) rmSync(join(all, other), { recursive: true, force: true });
  }
  return own;
};

/** The settings are not read yet: reading them is a part of what is compiled. */
const dataDirOf = ({ DATA_DIR }: NodeJS.ProcessEnv) => DATA_DIR || '.data';

/**
 * From now on, what is loaded is taken from there, and kept there when the process ends. Not where an operator has
 * decided otherwise (NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE), nor for sources. It is no fault where it cannot be.
 */
export const keepCompiled = (place: Pick<CompiledPlace, 'name' | 'version'>): void => {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  if (import.meta.url.endsWith('.ts') || NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE) return;
  try {
    const folder = compiledFolder({ ...place, dataDir: dataDirOf(process.env) });
    if (folder !== undefined) enableCompileCache(folder);
  } catch {
    // A disk that is full or read-only costs a slower start, and the storage says what is wrong with it.
  }
};
