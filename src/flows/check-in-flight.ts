// Are the configured flows valid, and those that conversations are in?
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CoreSettings } from '../compose/settings/core-settings.ts';
import { askPostgres } from '../platform/database/postgres.ts';
import { makeLog } from '../platform/log.ts';
import { type Finding, ok, unknown, warning, wrong } from '../platform/process/finding.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { type Fault, faultLine } from './grammar/fault.ts';
import type { LoadedFlows } from './load-flows.ts';
import { flowFolders, readFlowFolders } from './open-flows.ts';
import type { FlowSchema, KeptVersion } from './versions/flow-versions.ts';
import { isReachable, runIn } from './versions/in-flight.ts';
import { programOf } from './versions/versions.ts';

/** The stored conversations that are in flows. */
interface InFlight {
  /** States of chats, as JSON. */
  readonly chats: readonly string[];
  readonly versions: readonly KeptVersion[];
}

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

const checkInFlight = async ({ DATABASE_URL: url, DATA_DIR: folder }: DatabasePlace): Promise<Finding[]> => {
  let stored: InFlight;
  try {
    stored = url === undefined ? inSqlite(join(folder, 'bot.db')) : await inPostgres(url);
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

const mark = 'flowVersion';

/** A database without these tables has nobody in a flow. */
const inSqlite = (file: string): InFlight => {
  if (!existsSync(file)) return { chats: [], versions: [] };
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const named = database.prepare("SELECT name FROM sqlite_master WHERE name IN ('bot_state', 'flow_version')").all();
    if (named.length < 2) return { chats: [], versions: [] };
    const chats = database.prepare('SELECT value FROM bot_state WHERE instr(value, ?) > 0').all(mark);
    const versions = database.prepare('SELECT version, flow, body FROM flow_version').all() as unknown as KeptVersion[];
    return { chats: chats.map(({ value }) => String(value)), versions };
  } finally {
    database.close();
  }
};

const inPostgres = (url: string): Promise<InFlight> =>
  askPostgres<FlowSchema, InFlight>(url, makeLog('silent'), async (db) => {
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    if (!tables.includes('flow_version')) return { chats: [], versions: [] };
    const chats = await db.selectFrom('bot_state').select('value').where('value', 'like', `%${mark}%`).execute();
    const versions = await db.selectFrom('flow_version').select(['version', 'flow', 'body']).execute();
    return { chats: chats.map(({ value }) => value), versions };
  });
