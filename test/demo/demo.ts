// Bot and service as `npm start` has them, with data of their own, and a stage on which both sides are seen at once.
// It belongs to the tests, so that no package contains a proxy that removes policies.
import { freePort } from '../support/free-port.ts';
import { openWorkshop } from '../support/process.ts';
import { startStage } from './stage.ts';

export interface Demo {
  /** The page with both sides. */
  readonly url: string;
  close(): Promise<void>;
}

export const startDemo = async (): Promise<Demo> => {
  const workshop = openWorkshop();
  try {
    const port = await freePort();
    const base = `http://localhost:${port}`;
    const settings = await workshop.settings({ PUBLIC_URL: base, SERVICE_PUBLIC_URL: base, HANDOFF: 'desk', LOG_LEVEL: 'error' });
    const running = workshop.start([], settings);
    const { desk = '' } = await running.addresses('bot endpoint');
    const stage = await startStage({
      port,
      bot: Number(settings.PORT),
      service: Number(settings.SERVICE_PORT),
      signIn: new URL(desk).pathname,
    });
    return {
      url: `${base}/demo`,
      close: async () => {
        await stage.close();
        await running.stop('SIGTERM');
        await workshop.close();
      },
    };
  } catch (fault) {
    await workshop.close();
    throw fault;
  }
};
