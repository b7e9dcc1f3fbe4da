// A route that keeps what it is sent and answers: one insert, on disk before the answer; or several, in one commit with
// those of whoever asks at the same moment.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import restify from 'restify';
import type { Opened } from '../side-process.ts';

export const open = async ({ dataDir, rows = 1 }: { readonly dataDir: string; readonly rows?: number }): Promise<Opened> => {
  const database = new DatabaseSync(join(dataDir, 'floor.db'));
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE request (id text PRIMARY KEY, body text NOT NULL)');
  const insert = database.prepare('INSERT INTO request (id, body) VALUES (?, ?)');
  let group: Promise<void> | undefined;
  /** Opens a transaction that ends when the event loop comes round. */
  const joined = () => {
    if (group) return group;
    database.exec('BEGIN');
    group = new Promise((resolve) => {
      setImmediate(() => {
        database.exec('COMMIT');
        group = undefined;
        resolve();
      });
    });
    return group;
  };
  const server = restify.createServer();
  server.use(restify.plugins.bodyParser());
  server.post('/send', async (req: restify.Request, res: restify.Response) => {
    const requestId = randomUUID();
    const kept = rows > 1 ? joined() : undefined;
    for (let row = 1; row <= rows; row += 1) insert.run(`${requestId} ${row}`, JSON.stringify(req.body));
    await kept;
    res.send(200, { requestId, wsToken: randomUUID() });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    told: { url: `http://127.0.0.1:${server.address().port}/send` },
    close: () => {
      server.close();
      database.close();
    },
  };
};
