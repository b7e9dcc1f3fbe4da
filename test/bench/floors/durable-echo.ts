// A websocket server that keeps what it hears, on disk before it says it back.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { WebSocketServer } from 'ws';
import type { Opened } from '../side-process.ts';

export const open = async ({ dataDir }: { readonly dataDir: string }): Promise<Opened> => {
  const database = new DatabaseSync(join(dataDir, 'floor.db'));
  database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE message (id integer PRIMARY KEY, body text NOT NULL)');
  const insert = database.prepare('INSERT INTO message (body) VALUES (?)');
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data) => {
      insert.run(String(data));
      socket.send(String(data));
    });
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    told: { port: (server.address() as { port: number }).port },
    close: () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      database.close();
    },
  };
};
