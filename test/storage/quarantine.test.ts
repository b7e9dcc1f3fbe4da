import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { DatabaseKind } from '../../src/platform/database/database.ts';
import { makeLog } from '../../src/platform/log.ts';
import { openStorage, type Storage } from '../../src/storage/index.ts';
import { newDatabase } from '../support/postgres.ts';
import { accepted, intent } from '../support/samples.ts';
import { databaseKinds } from '../support/tier.ts';

interface Place {
  open(lines: string[]): Promise<Storage>;
  run(statement: string): Promise<void>;
  close(): Promise<void>;
}

const log = (lines: string[]) => makeLog('warn', { write: (line) => void lines.push(line) });
const places: Readonly<Record<DatabaseKind, () => Promise<Place>>> = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-quarantine-'));
    return {
      open: (lines) => openStorage(folder, { log: log(lines) }),
      run: async (statement) => {
        const db = new DatabaseSync(join(folder, 'bot.db'), { timeout: 5_000 });
        db.exec(statement);
        db.close();
      },
      close: async () => rmSync(folder, { recursive: true }),
    };
  },
  postgres: async () => {
    const url = await newDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    return {
      open: (lines) => openStorage(undefined, { url, log: log(lines) }),
      run: async (statement) => void (await client.query(statement)),
      close: () => client.end(),
    };
  },
};

for (const kind of databaseKinds) {
  describe(`a row that cannot be read, on ${kind}`, () => {
    let place: Place;
    let storage: Storage;
    let lines: string[];
    beforeEach(async () => {
      place = await places[kind]();
      lines = [];
      storage = await place.open(lines);
    });
    afterEach(async () => {
      await storage.close();
      await place.close();
    });

    const waiting = async (id: string) => {
      const recorded = await storage.interactions.record(intent(id));
      assert.ok(await storage.interactions.apply(recorded, accepted));
    };
    const claimed = async () => (await storage.interactions.claim()).map(({ id }) => id);

    for (const [what, damage] of [
      ['of an app that this version does not know', `app = 'fax'`],
      ['in a state that this version does not know', `state = 'pondering'`],
      ['whose request is damaged', `request = '{"session'`],
    ] as const) {
      it(`${what} delays no other row, is kept, is logged once and is counted`, async () => {
        for (const id of ['a', 'b', 'c']) await waiting(id);
        await place.run(`update interaction set ${damage} where id = 'b'`);
        await storage.interactions.release();
        assert.deepEqual(await claimed(), ['a', 'c']);
        assert.deepEqual(await claimed(), []);
        assert.equal(storage.interactions.quarantined(), 1);
        assert.equal(await storage.interactions.get('b'), undefined);
        assert.deepEqual(
          (await storage.interactions.waitingIn('directline/c1')).map(({ id }) => id),
          ['a', 'c'],
        );
        const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
        assert.deepEqual(
          errors.map(({ interaction }) => interaction),
          ['b'],
        );
        assert.ok(!lines.join('').includes('session'));
      });

      it(`${what} is claimed again by the next process, which may be able to read it`, async () => {
        await waiting('b');
        await place.run(`update interaction set ${damage} where id = 'b'`);
        await storage.interactions.release();
        assert.deepEqual(await claimed(), []);
        await storage.close();
        await place.run(`update interaction set app = 'payments', state = 'waiting', request = '{}' where id = 'b'`);
        storage = await place.open(lines);
        assert.deepEqual(await claimed(), ['b']);
      });
    }

    it('does not stop the claiming if a whole batch is unreadable', async () => {
      for (let index = 0; index < 502; index += 1) await waiting(`x-${String(index).padStart(3, '0')}`);
      await place.run(`update interaction set app = 'fax' where id < 'x-500'`);
      await storage.interactions.release();
      assert.deepEqual(await claimed(), ['x-500', 'x-501']);
      assert.equal(storage.interactions.quarantined(), 500);
    });
  });
}
