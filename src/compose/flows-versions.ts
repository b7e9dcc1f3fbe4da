// The verbs that look at what is in flight: in which versions conversations are, what has changed since, and taking
// them over.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowSource } from '../flows/index.ts';
import { type Difference, differences, keptVersionOf, loadFlows, moveRun, planMove, programOf, runIn } from '../flows/index.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { openStorage, type Storage } from '../storage/index.ts';
import type { FlowsCall } from './flows-call.ts';
import { flowNamed, usableFlows } from './flows-files.ts';
import { readSettings } from './settings.ts';

/** Works on the bot's database, which is opened and never made. */
const withStorage = async <Result>({ environment }: FlowsCall, work: (storage: Storage) => Promise<Result>): Promise<Result> => {
  const { DATABASE_URL: url, DATA_DIR: folder } = readSettings(environment);
  if (url === undefined && !existsSync(join(folder, 'bot.db')))
    throw new SettingsError([
      `DATA_DIR: there is no database in ${folder}. Name the folder that the bot runs on, or its Postgres by DATABASE_URL.`,
    ]);
  const storage = await openStorage(folder, { url });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
};

const runsIn = async (storage: Storage, named: string) => {
  const states = await storage.flowVersions.statesIn(named);
  return Object.entries(states).flatMap(([key, { etag, json }]) => {
    const state = JSON.parse(json);
    const run = runIn(state);
    return run ? [{ key, etag, state, run }] : [];
  });
};

export const tellStatus = async (call: FlowsCall): Promise<boolean> =>
  withStorage(call, async (storage) => {
    const current = usableFlows(call.environment);
    const runs = await runsIn(storage, 'flowVersion');
    const kept = await storage.flowVersions.list();
    const rows = kept.map(({ begunAt, flow, version }) => {
      const standing = runs.filter(({ run }) => run.flowVersion === version).map(({ run }) => run.frames.at(-1)?.at ?? '');
      const places = Object.fromEntries(
        [...new Set(standing)].sort().map((place) => [place, standing.filter((one) => one === place).length]),
      );
      return {
        flow,
        version,
        current: current.flows.get(flow)?.version === version,
        inFlight: standing.length,
        places,
        begunLast: new Date(begunAt).toISOString(),
      };
    });
    if (call.json) call.print(JSON.stringify(rows, undefined, 2));
    else if (rows.length === 0) call.print('No flow has been begun.');
    else
      for (const { flow, version, current: now, inFlight, places } of rows) {
        const where = Object.entries(places).map(([place, count]) => `${count} at ${place}`);
        call.print(`${flow}  ${version}${now ? '  (now)' : ''}  ${inFlight} in flight${where.length > 0 ? `: ${where.join(', ')}` : ''}`);
      }
    return true;
  });

const sign = { added: '+', removed: '-', changed: '~', moved: '>' } as const;
const told = ({ kind, place, to, step }: Difference) =>
  `${sign[kind]} ${place}${to === undefined || to === place ? '' : ` -> ${to}`}  ${step}`;

export const compareVersions = async (call: FlowsCall): Promise<boolean> => {
  const [one = '', other] = call.args;
  const [before, now] =
    existsSync(one) && other !== undefined && existsSync(other)
      ? ([sourceIn(one), sourceIn(other)] as const)
      : await keptAndNow(call, one, other);
  const found = differences(before, now);
  if (call.json) call.print(JSON.stringify(found, undefined, 2));
  else call.print(found.length === 0 ? 'Their steps are the same.' : found.map(told).join('\n'));
  return true;
};

const sourceIn = (file: string): FlowSource => {
  const [flow] = loadFlows([{ file, text: readFileSync(file, 'utf8') }]).flows.values();
  if (!flow) throw new SettingsError([`flows: ${file} has faults: see flows check ${file}.`]);
  return flow.source;
};

const keptAndNow = async (call: FlowsCall, name: string, version: string | undefined): Promise<readonly [FlowSource, FlowSource]> => {
  const flow = flowNamed(usableFlows(call.environment), name);
  const kept = await withStorage(call, async (storage) =>
    (await storage.flowVersions.list()).find(
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
  const told = new Map(((options.map ?? []) as string[]).map((pair) => pair.split('=') as [string, string]));
  if (typeof options.from !== 'string')
    throw new SettingsError(['flows: say from which version, with --from=<version>. flows status tells them.']);
  const from = options.from;
  return withStorage(call, async (storage) => {
    const kept = (await storage.flowVersions.list()).find(({ flow: name, version }) => name === flow.name && version.startsWith(from));
    if (!kept) throw new SettingsError([`flows: no version ${from} of ${flow.name} is kept.`]);
    const target = keptVersionOf(flow, loaded.flows);
    const [before, now] = [programOf(kept), programOf(target)];
    const found = (await runsIn(storage, kept.version)).filter(({ run }) => run.flowVersion === kept.version);
    const plan = planMove(
      found.map(({ run }) => run),
      before,
      now,
      told,
    );
    const does = plan.faults.length === 0 && options['dry-run'] !== true;
    if (does) {
      await storage.flowVersions.keep(target);
      for (const { run } of found) moveRun(run, now, plan);
      // All or none: a chat that has gone on meanwhile keeps everything as it was.
      const changes = found.map(({ key, etag, state }) => [key, { json: JSON.stringify(state), etag }]);
      if (found.length > 0) await storage.botState.write(Object.fromEntries(changes));
    }
    if (json)
      print(JSON.stringify({ flow: flow.name, from: kept.version, to: flow.version, moved: does ? found.length : 0, faults: plan.faults }));
    else {
      for (const fault of plan.faults) print(fault);
      print(
        does
          ? `${found.length} conversations were moved to ${flow.version}.`
          : `Nothing was moved; ${found.length} conversations are in ${kept.version}.`,
      );
    }
    return plan.faults.length === 0;
  });
};
