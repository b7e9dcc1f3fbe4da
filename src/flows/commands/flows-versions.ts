// The verbs for running conversations: show their versions and what has changed since, and move them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDatabase } from '../../compose/settings/read-database.ts';
import { readSettingsOf } from '../../compose/settings/read-settings.ts';
import { isInUse } from '../../platform/database/sqlite.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { openStorage, type Storage } from '../../storage/index.ts';
import type { FlowSource } from '../grammar/schema.ts';
import { labelAt, stepWritten } from '../grammar/step-description.ts';
import { type LoadedFlows, loadFlows } from '../load-flows.ts';
import type { RunState } from '../running/run-state.ts';
import { type Difference, differences } from '../versions/compare.ts';
import { type FlowSchema, type FlowVersions, flowTables, type KeptVersion, makeFlowVersions } from '../versions/flow-versions.ts';
import { type MovePlan, moveRun, planMove, runIn } from '../versions/in-flight.ts';
import { keptVersionOf, programOf } from '../versions/versions.ts';
import { type FlowsCall, flowNamed, usableFlows } from './flows-files.ts';

type Versions = Pick<FlowVersions, 'list' | 'statesIn'>;

/** The settings of the bot's database, which must exist. */
const databaseOf = ({ capabilities, environment }: FlowsCall) => {
  const settings = readSettingsOf(capabilities, environment);
  if (settings.DATABASE_URL === undefined && !existsSync(join(settings.DATA_DIR, 'bot.db')))
    throw new SettingsError([
      `DATA_DIR: there is no database in ${settings.DATA_DIR}. Name the folder that the bot runs on, or its Postgres by DATABASE_URL.`,
    ]);
  return settings;
};

/** Opens the bot's database for a change. */
const withStorage = async <Result>(call: FlowsCall, work: (storage: Storage) => Promise<Result>): Promise<Result> => {
  const { DATABASE_URL: url, DATA_DIR: folder } = databaseOf(call);
  const storage = await openStorage(folder, { url, tables: [flowTables] }).catch((fault: Error) => {
    if (!isInUse(fault)) throw fault;
    throw new SettingsError([
      `flows: the bot is running on ${folder}: stop it to move conversations. --dry-run, status and diff need not.`,
    ]);
  });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

/** Only reads, so the bot may be running. */
const readingVersions = async <Result>(call: FlowsCall, work: (versions: Versions) => Promise<Result>): Promise<Result> => {
  const settings = databaseOf(call);
  if (settings.DATABASE_URL !== undefined) return withStorage(call, (storage) => work(storage.of(makeFlowVersions)));
  return readDatabase<FlowSchema, Result>(settings, async (database) => {
    const tables = await database.db.introspection.getTables();
    if (tables.some(({ name }) => name === 'flow_version')) return work(makeFlowVersions(database));
    throw new SettingsError([`DATA_DIR: ${join(settings.DATA_DIR, 'bot.db')} is of an older version. Start the bot on it once.`]);
  });
};

const runsIn = async (versions: Versions, named: string) => {
  const states = await versions.statesIn(named);
  return Object.entries(states).flatMap(([key, { etag, json }]) => {
    const state = JSON.parse(json);
    const run = runIn(state);
    return run ? [{ key, etag, state, run }] : [];
  });
};

/** The number of conversations at each step; the line is known only in the current version. */
const standingIn = (runs: readonly { readonly run: RunState }[], kept: KeptVersion, current: LoadedFlows) => {
  const isNow = current.flows.get(kept.flow)?.version === kept.version;
  const { flows: sources } = programOf(kept);
  const tops = runs.flatMap(({ run }) => run.frames.at(-1) ?? []);
  const counted = Map.groupBy(tops, ({ flow, at = '' }) => `${flow} ${at}`);
  return [...counted.values()]
    .map((frames) => {
      const [{ flow, at: place = '' }] = frames as [(typeof frames)[number]];
      const now = isNow ? current.flows.get(flow) : undefined;
      const source = sources.get(flow);
      const { file, line } = (now && stepWritten(now, place)) ?? {};
      const step = source && place !== '' ? labelAt(source, place) : undefined;
      return { flow, place, count: frames.length, ...(step !== undefined && { step }), ...(file !== undefined && { file, line }) };
    })
    .sort((one, other) => one.place.localeCompare(other.place));
};

export const tellStatus = async (call: FlowsCall): Promise<boolean> =>
  readingVersions(call, async (versions) => {
    const current = usableFlows(call.environment);
    const runs = await runsIn(versions, 'flowVersion');
    const rows = (await versions.list()).map((kept) => {
      const { begunAt, flow, version } = kept;
      const inIt = runs.filter(({ run }) => run.flowVersion === version);
      const steps = standingIn(inIt, kept, current);
      return {
        flow,
        version,
        current: current.flows.get(flow)?.version === version,
        inFlight: inIt.length,
        places: Object.fromEntries(steps.map(({ place, count }) => [place, count])),
        steps,
        begunLast: new Date(begunAt).toISOString(),
      };
    });
    if (call.json) call.print(JSON.stringify(rows, undefined, 2));
    else if (rows.length === 0) call.print('No flow has been started.');
    else
      for (const { flow, version, current: now, inFlight, steps } of rows) {
        const where = steps.map(({ count, place, step, file, line }) => {
          const known = [...(step === undefined ? [] : [step]), ...(file === undefined ? [] : [`${file}:${line}`])];
          return `${count} at ${place}${known.length > 0 ? ` (${known.join(', ')})` : ''}`;
        });
        call.print(`${flow}  ${version}${now ? '  (now)' : ''}  ${inFlight} in flight${where.length > 0 ? `: ${where.join(', ')}` : ''}`);
      }
    return true;
  });

const sign = { added: '+', removed: '-', changed: '~', moved: '>' } as const;
const lineOf = ({ kind, place, to, step }: Difference) =>
  `${sign[kind]} ${place}${to === undefined || to === place ? '' : ` -> ${to}`}  ${step}`;

export const compareVersions = async (call: FlowsCall): Promise<boolean> => {
  const [one = '', other] = call.args;
  const [before, now] =
    existsSync(one) && other !== undefined && existsSync(other)
      ? ([sourceIn(one), sourceIn(other)] as const)
      : await keptAndNow(call, one, other);
  const found = differences(before, now);
  if (call.json) call.print(JSON.stringify(found, undefined, 2));
  else call.print(found.length === 0 ? 'Their steps are the same.' : found.map(lineOf).join('\n'));
  return true;
};

const sourceIn = (file: string): FlowSource => {
  const [flow] = loadFlows([{ file, text: readFileSync(file, 'utf8') }]).flows.values();
  if (!flow) throw new SettingsError([`flows: ${file} has faults: see flows check ${file}.`]);
  return flow.source;
};

const keptAndNow = async (call: FlowsCall, name: string, version: string | undefined): Promise<readonly [FlowSource, FlowSource]> => {
  const flow = flowNamed(usableFlows(call.environment), name);
  const kept = await readingVersions(call, async (versions) =>
    (await versions.list()).find(
      (one) => one.flow === flow.name && (version === undefined ? one.version !== flow.version : one.version.startsWith(version)),
    ),
  );
  const before = kept && programOf(kept).flows.get(flow.name);
  if (!before)
    throw new SettingsError([`flows: no ${version === undefined ? 'other version' : `version ${version}`} of ${flow.name} is kept.`]);
  return [before, flow.source];
};

export const moveRuns = async (call: FlowsCall): Promise<boolean> => {
  const { args, environment, json, options, print } = call;
  const loaded = usableFlows(environment);
  const flow = flowNamed(loaded, args[0]);
  const mapped = new Map(((options.map ?? []) as string[]).map((pair) => pair.split('=') as [string, string]));
  if (typeof options.from !== 'string')
    throw new SettingsError(['flows: name the version with --from=<version>. flows status lists them.']);
  const from = options.from;
  const target = keptVersionOf(flow, loaded.flows);
  const now = programOf(target);
  const planIn = async (versions: Versions) => {
    const kept = (await versions.list()).find(({ flow: name, version }) => name === flow.name && version.startsWith(from));
    if (!kept) throw new SettingsError([`flows: no version ${from} of ${flow.name} is kept.`]);
    const found = (await runsIn(versions, kept.version)).filter(({ run }) => run.flowVersion === kept.version);
    const runs = found.map(({ run }) => run);
    return { kept, found, plan: planMove(runs, programOf(kept), now, mapped) };
  };
  const dry = options['dry-run'] === true;
  const { kept, found, plan } = dry
    ? await readingVersions(call, planIn)
    : await withStorage(call, async (storage) => {
        const planned = await planIn(storage.of(makeFlowVersions));
        if (planned.plan.faults.length > 0) return planned;
        await storage.of(makeFlowVersions).keep(target);
        for (const { run } of planned.found) moveRun(run, now, planned.plan);
        // All or none: if a chat has moved meanwhile, nothing changes.
        const changes = planned.found.map(({ key, etag, state }) => [key, { json: JSON.stringify(state), etag }]);
        if (planned.found.length > 0) await storage.botState.write(Object.fromEntries(changes));
        return planned;
      });
  const can = plan.faults.length === 0;
  const counts = { moved: can && !dry ? found.length : 0, ...(dry && { movable: can ? found.length : 0 }) };
  if (json) print(JSON.stringify({ flow: flow.name, from: kept.version, to: flow.version, ...counts, faults: plan.faults }));
  else {
    for (const fault of plan.faults) print(fault);
    const these = `${found.length} ${plural(found.length, 'conversation', 'conversations')}`;
    if (!can) print(`Nothing was moved; ${these} ${plural(found.length, 'is', 'are')} in ${kept.version}.`);
    else if (dry) print(`${these} would be moved to ${flow.version}${waysOf(found, plan)}.`);
    else print(`${these} ${plural(found.length, 'was', 'were')} moved to ${flow.version}.`);
  }
  return can;
};

const rules = new Intl.PluralRules('en');
const plural = (count: number, one: string, more: string) => (rules.select(count) === 'one' ? one : more);

/** From which step to which: `: do.2 → do.3, do.4 → do.4`. */
const waysOf = (found: readonly { readonly run: RunState }[], { places }: MovePlan): string => {
  const frames = found.flatMap(({ run }) => run.frames).filter(({ at }) => at !== undefined);
  const ways = [...new Set(frames.map(({ flow, at }) => `${at} → ${places.get(`${flow} ${at}`)}`))];
  return ways.length > 0 ? `: ${ways.sort().join(', ')}` : '';
};
