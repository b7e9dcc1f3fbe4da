// Whether the service runs, and whether it can work.
import type { ServiceContext } from '../context.ts';

/**
 * Adds `/healthz`, which answers while the process does, and `/readyz`, which asks the database. `leaving` aborts when
 * the process is about to stop.
 */
export const addHealth = ({ server, storage }: ServiceContext, leaving?: AbortSignal): void => {
  server.route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
  server.route('GET', '/readyz', async () => {
    const works = await storage.ping().then(
      () => true,
      () => false,
    );
    const ready = works && !leaving?.aborted;
    return { status: ready ? 200 : 503, body: { status: ready ? 'ok' : 'unavailable' } };
  });
};
