// The whole bot, as it is started, with its state in a folder or a Postgres it is told of.
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { startBot } from '../../../src/compose/start/bot.ts';
import type { ServiceAccess } from '../../../src/compose/start/service.ts';
import { readSettings } from '../../../src/compose/start/settings.ts';
import { makeLog } from '../../../src/platform/log.ts';
import type { Opened } from '../side-process.ts';

export interface BotSide {
  readonly service: ServiceAccess;
  readonly settings: Readonly<Record<string, string>>;
}

const plenty = { points: 1_000_000, seconds: 10 };

/** What the embedded database was asked to do. */
export interface Asked {
  readonly commits: number;
  /** Without those that begin and end transactions and their parts. */
  readonly statements: number;
}

/** Counts what the embedded database does from now on. */
const countStatements = () => {
  const said = { commits: 0, statements: 0 };
  for (const kind of ['all', 'run'] as const) {
    const real = StatementSync.prototype[kind] as (...parameters: unknown[]) => unknown;
    Object.assign(StatementSync.prototype, {
      [kind](this: StatementSync, ...parameters: unknown[]) {
        if (this.sourceSQL === 'commit') said.commits += 1;
        else if (!/^(?:begin|savepoint|release|rollback)\b/.test(this.sourceSQL)) said.statements += 1;
        return real.apply(this, parameters);
      },
    });
  }
  return (): Asked => ({ ...said });
};

/** Moves everything from the log of the embedded database into its file. */
const emptyLog = ({ DATA_DIR }: BotSide['settings']) => {
  const database = new DatabaseSync(join(DATA_DIR as string, 'bot.db'));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
};

export const open = async ({ service, settings }: BotSide): Promise<Opened> => {
  const read = readSettings({ PORT: '0', LOG_LEVEL: 'warn', ...settings });
  const log = makeLog(read.LOG_LEVEL);
  const { port, directLine, links, close } = await startBot({
    settings: read,
    service,
    log,
    turnRate: plenty,
    lookupRate: plenty,
  });
  const token = async () => (await directLine.issueToken()).token;
  // From when it is asked for the first time: counting costs something too.
  let counted: (() => Asked) | undefined;
  const asked = () => {
    counted ??= countStatements();
    return counted();
  };
  const told = { port, ...(links.desk !== undefined && { deskUrl: links.desk }) };
  return { told, orders: { asked, empty: () => emptyLog(settings), token }, close };
};
