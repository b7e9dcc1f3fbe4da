// Are the configured flows valid, and those that conversations are in?
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CoreSettings } from '../compose/settings/core-settings.ts';
import { readDatabase } from '../compose/settings/read-database.ts';
import { type Finding, ok, unknown, warning, wrong } from '../platform/process/finding.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { type Fault, faultLine } from './grammar/fault.ts';
import type { LoadedFlows } from './load-flows.ts';
import { flowFolders, readFlowFolders } from './open-flows.ts';
import { type FlowSchema, makeFlowVersions } from './versions/flow-versions.ts';
import { isReachable, runIn } from './versions/in-flight.ts';
import { programOf } from './versions/versions.ts';

type DatabasePlace = Pick<CoreSettings, 'DATA_DIR' | 'DATABASE_URL'>;

/** Only reads: a bot may be running on the files and on the database. */
export const checkFlowFiles = async (own: string | undefined, place: DatabasePlace): Promise<Finding[]> => {
  try {
    const loaded = readFlowFolders(flowFolders(own));
    const found = [...faultsIn(loaded), ...(await checkInFlight(place))];
    const { size } = loaded.flows;
    const well = found.every(({ status }) => status === 'ok' || status === 'warning');
    return [...(well ? [ok(`${size} ${size === 1 ? 'flow' : 'flows'} can be started.`)] : []), ...found];
  } catch (fault) {
    if (!(fault instanceof SettingsError)) throw fault;
    return fault.lines.map(wrong);
  }
};

const isText = ({ code }: Fault) => code === 'missing-language';

/** Each fault by itself, and texts that are missing by file. */
const faultsIn = ({ faults }: LoadedFlows): Finding[] => {
  const broken = faults.filter(({ warning: runs }) => !runs).map((fault) => wrong(faultLine(fault)));
  const others = faults.filter((fault) => fault.warning && !isText(fault)).map((fault) => warning(faultLine(fault)));
  const texts = Map.groupBy(
    faults.filter((fault) => fault.warning && isText(fault)),
    ({ file }) => file,
  );
  const missing = [...texts].map(([file, of]) => {
    const lines = of.map(({ line }) => line);
    return warning(`${file}: texts are missing in some languages, so customers read them in another: line ${lines.join(', ')}.`);
  });
  return [...broken, ...others, ...missing];
};

const checkInFlight = async (place: DatabasePlace): Promise<Finding[]> => {
  if (place.DATABASE_URL === undefined && !existsSync(join(place.DATA_DIR, 'bot.db'))) return [];
  let stored: Awaited<ReturnType<typeof storedIn>>;
  try {
    stored = await readDatabase<FlowSchema, typeof stored>(place, storedIn);
  } catch {
    // The database check reports its faults.
    return [unknown('the conversations cannot be checked: the database cannot be read.')];
  }
  const runs = stored.chats.flatMap((json) => runIn(JSON.parse(json)) ?? []);
  return [...Map.groupBy(runs, ({ flowVersion }) => flowVersion)].flatMap(([version, standing]) => {
    const kept = stored.versions.find((one) => one.version === version);
    const program = kept && programOf(kept);
    const lost = standing.filter((run) => !program || !isReachable(run, program));
    if (lost.length === 0) return [];
    const of = `${lost.length} ${lost.length === 1 ? 'conversation is' : 'conversations are'} in version ${version} of ${lost[0]?.frames[0]?.flow}`;
    return [
      wrong(
        kept
          ? `${of}, at steps that this version of the bot does not know: they will end with a failure. See flows move.`
          : `${of}, which is no longer stored: they will end with a failure. Restore the whole database.`,
      ),
    ];
  });
};

/** The stored conversations that are in flows: the states of chats, as JSON. A database without these tables has none. */
const storedIn = async (database: Parameters<typeof makeFlowVersions>[0]) => {
  const tables = (await database.db.introspection.getTables()).map(({ name }) => name);
  if (!tables.includes('bot_state') || !tables.includes('flow_version')) return { chats: [], versions: [] };
  const { list, statesIn } = makeFlowVersions(database);
  const states = await statesIn('flowVersion');
  return { chats: Object.values(states).map(({ json }) => json), versions: await list() };
};
