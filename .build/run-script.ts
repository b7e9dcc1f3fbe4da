// Runs a script of an installed program, and keeps what V8 has compiled of it once the program has started: not only
// what it compiled while it read the script, as Node's own cache does, but every function that a start calls (0150).
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, getCompileCacheDir } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { whenStarted } from '../src/platform/process/compile-cache.ts';

/** What a script is: a function of what it finds around it (script.ts). */
type Body = (
  exports: object,
  require: NodeJS.Require,
  module: { exports: object },
  filename: string,
  dirname: string,
  meta: ImportMeta,
) => unknown;

/** Bytes before the compiled code: a checksum of it and of its text, since V8 trusts what it is given. */
const head = 4;

const readKept = (file: string, text: Buffer): Buffer | undefined => {
  try {
    const kept = readFileSync(file);
    const code = kept.subarray(head);
    return kept.length > head && kept.readUInt32LE() === crc32(code, crc32(text)) ? code : undefined;
  } catch {
    // Nothing is kept yet, or it cannot be read: it is compiled anew.
    return undefined;
  }
};

const keep = (file: string, text: Buffer, code: Buffer): void => {
  const sum = Buffer.alloc(head);
  sum.writeUInt32LE(crc32(code, crc32(text)));
  const beside = `${file}.${process.pid}`;
  try {
    writeFileSync(beside, Buffer.concat([sum, code]), { mode: 0o600 });
    renameSync(beside, file);
  } catch {
    // A full or read-only disk only makes the next start slower.
  }
};

/** What the file is a function of. `folder`: where compiled code is kept. */
export const bodyIn = (file: string, folder: string): Body => {
  const text = readFileSync(file);
  const kept = join(folder, basename(file));
  const cachedData = readKept(kept, text);
  // All of it is ASCII (ascii.ts).
  const script = new Script(text.toString('latin1'), { filename: file, ...(cachedData && { cachedData }) });
  if (cachedData === undefined || script.cachedDataRejected === true) whenStarted(() => keep(kept, text, script.createCachedData()));
  return script.runInThisContext();
};

/** Runs the script at `path` from the module that `meta` belongs to; returns what it exports. */
export const runScript = (meta: ImportMeta, path: string): unknown => {
  const file = fileURLToPath(new URL(path, meta.url));
  const require = createRequire(meta.url);
  // Node maps traces to sources for what it loads itself.
  const folder = process.sourceMapsEnabled ? undefined : getCompileCacheDir();
  const body: Body = folder === undefined ? require(file) : bodyIn(file, folder);
  const module = { exports: {} };
  return body(module.exports, require, module, file, dirname(file), meta);
};
