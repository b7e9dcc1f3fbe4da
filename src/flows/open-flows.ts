// The flows of a running bot: read at start, where a fault keeps it from starting; and read again when a file changes,
// where a fault keeps what there was.
import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, relative } from 'node:path';
import { flowsFolder } from '../../dialogs/index.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { errorBoundary } from '../platform/process/faults.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { type Fault, faultLine } from './grammar/fault.ts';
import { localeOf } from './grammar/locale-files.ts';
import { type FlowFile, flowFilesIn, isBroken, type LoadedFlows, loadFlows } from './load-flows.ts';
import type { FlowsOption } from './options.ts';

export type OpenFlows = ReturnType<typeof openFlows>;

/** The folder of the flows that are shipped, and the operator's own. @throws {SettingsError} if that does not exist. */
export const flowFolders = (own: string | undefined): readonly string[] => {
  if (own && !existsSync(own)) throw new SettingsError([`FLOWS_DIR: there is no folder ${own}.`]);
  return [flowsFolder, ...(own ? [own] : [])];
};

/** An editor writes a file in several steps. */
const settleMs = 100;

/** As short as they can be named from here. */
const shortened = (file: string) => {
  const short = relative(process.cwd(), file);
  return short.startsWith('..') ? file : short;
};

/** The flows of these folders and, checked together with them, files that are not written yet. */
export const readFlowFolders = (folders: readonly string[], drafts: readonly FlowFile[] = []): LoadedFlows => {
  const newest = new Map<string, FlowFile>();
  for (const files of [...folders.map(flowFilesIn), drafts]) {
    const names = new Set(files.map(({ file }) => basename(file)));
    // What is replaced is not read, nor are the texts of a flow that is.
    for (const name of newest.keys()) {
      const of = localeOf(name)?.flow;
      if (of !== undefined && (names.has(`${of}.yaml`) || names.has(`${of}.yml`))) newest.delete(name);
    }
    for (const { file, text } of files) newest.set(basename(file), { file: shortened(file), text });
  }
  return loadFlows([...newest.values()]);
};

/** @throws {SettingsError} with every fault of every file. */
export const openFlows = ({ folders, reload = false }: NonNullable<FlowsOption['flows']>, log: Log) => {
  const missing = folders.filter((folder) => !existsSync(folder));
  if (missing.length > 0) throw new SettingsError(missing.map((folder) => `FLOWS_DIR: there is no folder ${folder}.`));
  let loaded = readFlowFolders(folders);
  if (isBroken(loaded.faults)) throw new SettingsError(loaded.faults.map((fault) => faultLine(fault)));
  let { faults } = loaded;
  const readAgain = () => {
    const read = readFlowFolders(folders);
    faults = read.faults;
    if (!isBroken(read.faults)) {
      loaded = read;
      log.warn({ component: 'flows', count: read.flows.size }, 'the flows were read again');
      return;
    }
    for (const fault of read.faults) log.warn({ component: 'flows' }, faultLine(fault));
    log.warn({ component: 'flows' }, 'the flows have faults, so the bot goes on with those it had');
  };
  // A folder may be gone for a moment, or a file be unreadable.
  const readSafely = errorBoundary(readAgain, (fault) =>
    log.error({ ...faultFields(fault), component: 'flows' }, 'the flows could not be read again, so the bot goes on with those it had'),
  );
  let timer: NodeJS.Timeout | undefined;
  const watchers: FSWatcher[] = reload
    ? folders.map((folder) =>
        watch(folder, () => {
          clearTimeout(timer);
          timer = setTimeout(readSafely, settleMs);
        }),
      )
    : [];
  return {
    /** The newest that can be used. */
    current: (): LoadedFlows => loaded,
    /** What is wrong with the files as they are now. */
    faults: (): readonly Fault[] => faults,
    close: (): void => {
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
};
