// Starting the service: its parts put together, its routes added, its schedulers set going.

import { systemClock } from '../platform/clock.ts';
import { makeHttpServer } from '../platform/http-server.ts';
import { keptSecret } from '../platform/kept-secret.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { makeAuthenticate } from './accounts.ts';
import { makeAlarm } from './alarm.ts';
import { addAppOperations } from './api/apps.ts';
import { makeAddOperation } from './api/operations.ts';
import { addRequestOperations } from './api/requests.ts';
import { demoCatalogue, loadCatalogue } from './catalogue/load.ts';
import { makeDispatch } from './delivery/dispatch.ts';
import { makeOutboxDelivery } from './delivery/outbox.ts';
import { addLinks } from './device/links.ts';
import { makeOpenLink } from './device/opening.ts';
import { makeDevicePages } from './device/pages.ts';
import { makeCourse } from './life/course.ts';
import { makeEndings } from './life/endings.ts';
import { makeCompose } from './life/messages.ts';
import { makeCheckPasscode } from './life/passcodes.ts';
import { makeResend } from './life/resends.ts';
import { makeSend } from './life/sends.ts';
import { demoLimits, productionLimits } from './limits.ts';
import { makeListeners } from './listeners.ts';
import type { RunningService, ServiceOptions } from './options.ts';
import { addOutbox } from './outbox/routes.ts';
import { addServiceAssets } from './pages/assets.ts';
import { makeEnrolments } from './passkeys/enrolments.ts';
import { addPasskeys } from './passkeys/index.ts';
import { makeTake } from './quota.ts';
import { makeRandom } from './random.ts';
import { makeSeal } from './seal.ts';
import { openStorage } from './store/index.ts';
import { makeTexts } from './texts.ts';
import { openSockets, socketPath } from './websocket/sockets.ts';

/**
 * Starts the service. Requests that were pending when it last stopped are taken up again.
 * @throws {SettingsError} when an option, the catalogue, the data folder or the port cannot be used.
 */
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
  const { dataDir, demo, log, clock = systemClock, alarm = makeAlarm(clock), random = makeRandom() } = options;
  const catalogue = loadCatalogue(options.catalogueFile ?? demoCatalogue);
  const configuredUrl = options.publicUrl === undefined ? undefined : publicUrlOf(options.publicUrl);
  if (!demo && !options.delivery)
    throw new SettingsError(['The service has no way to reach customers: configure one, or start it in demo mode.']);
  const limits = { ...(demo ? demoLimits : productionLimits), ...options.limits };

  const storage = await openStorage(dataDir, random.id, log);
  try {
    const secretKey = options.secretKey ?? keptSecret(dataDir, 'service.key');
    const seal = makeSeal(keptSecret(dataDir, 'service.pepper'));
    const { account } = catalogue;
    const server = makeHttpServer({ name: 'countersign-service', log, headers: { 'Cross-Origin-Opener-Policy': 'same-origin' } });
    const listeners = makeListeners();
    const texts = makeTexts();
    const assets = await addServiceAssets(server);
    let port = 0;
    const publicUrl = () => configuredUrl ?? new URL(`http://localhost:${port}`);

    const endings = makeEndings({ storage, listeners, clock, random, log });
    const delivery = options.delivery ?? makeOutboxDelivery(storage.outbox, seal);
    const giveUp = async (requestId: string) => {
      const request = await storage.requests.get(requestId);
      if (request) await endings.byItself(request, 'failure');
    };
    const dispatch = makeDispatch({ storage, delivery, seal, clock, alarm, listeners, log, giveUp });
    const course = makeCourse({ storage, endings, listeners, clock, alarm, log });
    const compose = makeCompose({ account, publicUrl, random, seal, texts });
    const takeCall = makeTake('calls', limits.callsPerAccount, 'Too many requests of this account. Wait before sending another.');
    const send = makeSend({ catalogue, storage, compose, course, dispatch, limits, seal, random, clock, log, texts, demo });
    const resend = makeResend({ storage, compose, course, dispatch, limits, clock, log });
    const checkPasscode = makeCheckPasscode({ storage, endings, seal, limits, clock });

    const authenticate = makeAuthenticate([{ account, secretKeys: [secretKey] }]);
    const add = makeAddOperation({ server, authenticate, takeCall, clock, log });
    addAppOperations({ add, catalogue, enrolments: makeEnrolments(storage, demo), send, checkPasscode });
    addRequestOperations({ add, requests: storage.requests, endings, resend });
    const pages = makeDevicePages({ account, assets, contentLanguage: catalogue.language });
    const open = makeOpenLink({ storage, pages, texts, clock });
    const shared = {
      server,
      open,
      account,
      catalogue,
      storage,
      endings,
      listeners,
      dispatch,
      limits,
      seal,
      random,
      clock,
      log,
      texts,
      publicUrl,
    };
    const passkeys = addPasskeys(shared);
    addLinks({ server, storage, endings, listeners, pages, open, flows: { passkeys }, publicUrl, random, clock });
    if (demo) addOutbox({ server, store: storage.outbox, seal, assets, texts, publicUrl, log });
    server.route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
    server.route('GET', '/readyz', async () => {
      const ready = await storage.ping().then(
        () => true,
        () => false,
      );
      return { status: ready ? 200 : 503, body: { status: ready ? 'ok' : 'unavailable' } };
    });

    const sockets = openSockets({ node: server.node, requests: storage.requests, listeners, limits: limits.socket, clock, random, log });
    try {
      port = await server.listen(options.port, options.host, 'SERVICE_PORT');
    } catch (fault) {
      await sockets.close();
      throw fault;
    }
    const authority = `${options.host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
    dispatch.wake(clock.now());
    course.wake(clock.now());
    log.info({ component: 'service', port }, 'the service is ready');

    return {
      port,
      baseUrl: `http://${authority}`,
      wsUrl: `ws://${authority}${socketPath}`,
      secretKey,
      outboxUrl: demo ? `http://localhost:${port}/outbox` : undefined,
      settled: async () => {
        await dispatch.settled();
        await course.settled();
      },
      close: async () => {
        await sockets.close();
        await server.close();
        await Promise.all([dispatch.stop(), course.stop()]);
        await storage.close();
      },
    };
  } catch (fault) {
    await storage.close();
    throw fault;
  }
};

const publicUrlOf = (setting: string): URL => {
  const url = URL.parse(setting);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new SettingsError(['SERVICE_PUBLIC_URL: must be an http or https address, for example https://verify.example.com.']);
};
