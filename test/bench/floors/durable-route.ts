// A route that keeps what it is sent and answers: one insert, on disk before the answer.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import restify from 'restify';
import type { Opened } from '../side-process.ts';

export const open = async ({ dataDir }: { readonly dataDir: string }): Promise<Opened> => {
  const database = new DatabaseSync(join(dataDir, 'floor.db'));
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE request (id text PRIMARY KEY, body text NOT NULL)');
  const insert = database.prepare('INSERT INTO request (id, body) VALUES (?, ?)');
  const server = restify.createServer();
  server.use(restify.plugins.bodyParser());
  server.post('/send', async (req: restify.Request, res: restify.Response) => {
    const requestId = randomUUID();
    insert.run(requestId, JSON.stringify(req.body));
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
