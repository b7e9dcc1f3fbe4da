// Designers' flows in a bot: read from folders, offered in the menu, begun by their phrases, measured.
import type { Flows } from '../../dialogs/index.ts';
import type { Capability, OpenCapability } from '../compose/bot/capability.ts';
import { isPublic } from '../compose/settings/core-faults.ts';
import { words } from '../platform/settings/environment.ts';
import { describedFlows, offeredFlows } from './described.ts';
import { loadFlows } from './load-flows.ts';
import { makeFlows } from './make-flows.ts';
import { observeFlows } from './observe-flows.ts';
import { flowFolders, type OpenFlows, openFlows, readFlowFolders } from './open-flows.ts';
import type { FlowsOption } from './options.ts';
import type { FlowEvent } from './running/events.ts';
import { flowTables, makeFlowVersions } from './versions/flow-versions.ts';
import { makeVersions } from './versions/versions.ts';

/** The flows of an open bot. */
export interface FlowsOfBot extends OpenCapability {
  readonly dialogs: { readonly flows: Flows };
  /** The files. */
  readonly files: OpenFlows;
  /** Also tells `observer` what happens in flows. */
  observe(observer: (event: FlowEvent) => void): void;
}

/** No folders. */
const noFiles: OpenFlows = { current: () => loadFlows([]), faults: () => [], close: () => {} };

/** FLOWS_DIR: a folder of flows beside those that are shipped. */
const shape = { FLOWS_DIR: words.optional() };

export const flows: Capability<FlowsOption, FlowsOfBot, typeof shape> = {
  name: 'flows',
  tables: flowTables,
  settings: {
    shape,
    options: ({ FLOWS_DIR, ...settings }) => ({ flows: { folders: flowFolders(FLOWS_DIR), reload: !isPublic(settings) } }),
    check: async ({ FLOWS_DIR, ...settings }) => {
      const { checkFlowFiles } = await import('./check-in-flight.ts');
      return (await checkFlowFiles(FLOWS_DIR, settings)).map((finding) => ['flows', finding]);
    },
  },
  commands: {
    own: {
      name: 'flows',
      usage: 'new|check|draw|test|status|diff|move',
      does: 'Works on flows (docs/flows.md). Add --help after a verb for more.',
      run: async (...call) => (await import('./commands/flows-command.ts')).runFlows(...call),
    },
    flows: ({ FLOWS_DIR }) => {
      const loaded = readFlowFolders(flowFolders(FLOWS_DIR));
      return { described: (t) => describedFlows(loaded, t), offered: (t) => offeredFlows(loaded, t) };
    },
  },
  open: ({ log, storage, telemetry }, options) => {
    const files = options.flows ? openFlows(options.flows, log) : noFiles;
    const observers = [observeFlows(telemetry)];
    return {
      files,
      observe: (observer) => observers.push(observer),
      dialogs: {
        flows: makeFlows({
          current: files.current,
          versions: makeVersions(storage.of(makeFlowVersions)),
          observe: (event) => {
            for (const observe of observers) observe(event);
          },
        }),
      },
      close: files.close,
    };
  },
};
