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
import { openPayments } from './checkouts/open.ts';
import { makeDispatch } from './delivery/dispatch.ts';
import { checkWays, openDelivery } from './delivery/open.ts';
import { addLinks } from './device/links.ts';
import { makeOpenLink } from './device/opening.ts';
import { makeDevicePages } from './device/pages.ts';
import { addDocumentRoutes, makeDocumentUrl, makeKeepsake } from './documents/links.ts';
import { makeMakeDocument } from './documents/sealing.ts';
import { keptSigningKey, readSigningKey } from './documents/signing-key.ts';
import { withAccountKey } from './e-form/account-key.ts';
import { makeCourse } from './life/course.ts';
import { makeEndings, taskOf } from './life/endings.ts';
import { makeCompose } from './life/messages.ts';
import { makeCheckPasscode } from './life/passcodes.ts';
import { makeReach } from './life/reach.ts';
import { makeReceipts } from './life/receipts.ts';
import { makeResend } from './life/resends.ts';
import { makeSend } from './life/sends.ts';
import { demoLimits, productionLimits, withExpiry } from './limits.ts';
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
import type { Request } from './store/request.ts';
import { makeTexts } from './texts.ts';
import { makeTickets } from './tickets.ts';
import { makeSubscribers, makeWebhookDispatch } from './webhooks/dispatch.ts';
import { checkEndpoints } from './webhooks/endpoints.ts';
import { makePost, makeWebhookAgent } from './webhooks/post.ts';
import { addWebhookOperations } from './webhooks/routes.ts';
import { openSockets, socketPath } from './websocket/sockets.ts';

/**
 * Starts the service. Requests that were pending when it last stopped are taken up again.
 * @throws {SettingsError} when an option, the catalogue, the data folder or the port cannot be used.
 */
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
  const { dataDir, demo, log, ways = {}, clock = systemClock, alarm = makeAlarm(clock), random = makeRandom() } = options;
  const loaded = loadCatalogue(options.catalogueFile ?? demoCatalogue);
  const configuredUrl = options.publicUrl === undefined ? undefined : publicUrlOf(options.publicUrl);
  checkWays({ given: options.delivery, ways, demo });
  checkEndpoints(loaded.webhooks, demo);
  const limits = { ...withExpiry(demo ? demoLimits : productionLimits, loaded.expiryMinutes), ...options.limits };

  const storage = await openStorage(dataDir, random.id, log, makeSubscribers(loaded.account.id, loaded.webhooks));
  try {
    const catalogue = await withAccountKey(loaded, dataDir, demo);
    const secretKey = options.secretKey ?? keptSecret(dataDir, 'service.key');
    const pepper = keptSecret(dataDir, 'service.pepper');
    const seal = makeSeal(pepper);
    const { account } = catalogue;
    const server = makeHttpServer({ name: 'countersign-service', log, headers: { 'Cross-Origin-Opener-Policy': 'same-origin' } });
    const listeners = makeListeners();
    const texts = makeTexts();
    const assets = await addServiceAssets(server);
    let port = 0;
    const publicUrl = () => configuredUrl ?? new URL(`http://localhost:${port}`);

    const tickets = makeTickets(pepper);
    const settings = options.gateway ?? { name: 'sandbox' };
    const parts = { storage, tickets, texts, publicUrl, random, clock, alarm, log, endings: () => endings };
    const payments = await openPayments({ ...parts, settings, products: catalogue.products });
    const { signing } = options;
    const signingKey = signing ? readSigningKey(signing, clock.now()) : await keptSigningKey(dataDir, account.name, clock.now());
    const makeDocument = makeMakeDocument(signingKey);
    const produce = async (request: Request, words = texts(request.language), entered: Readonly<Record<string, string>> = {}) =>
      taskOf(request).produce(entered, { request, texts: words, account, at: clock.now(), makeDocument, seal });
    const documentUrl = makeDocumentUrl({ tickets, publicUrl, clock, days: limits.documentLinkDays });
    const endings = makeEndings({ storage, listeners, clock, random, log, produce, withdraw: payments.withdraw });
    const receipts = makeReceipts({ storage, endings, listeners, clock, log });
    const { outbox } = storage;
    const opened = await openDelivery({ given: options.delivery, ways, demo, outbox, seal, texts, publicUrl, clock, log });
    const { delivery } = opened;
    const reach = makeReach(delivery, options.smsCountries);
    const dispatch = makeDispatch({ storage, delivery, seal, clock, alarm, listeners, log, giveUp: receipts.giveUp });
    const agent = makeWebhookAgent(demo);
    const webhooks = makeWebhookDispatch({
      accountId: account.id,
      endpoints: catalogue.webhooks,
      storage,
      post: makePost(agent, clock),
      documentUrl,
      clock,
      alarm,
      log,
    });
    listeners.onAny(() => webhooks.wake(clock.now()));
    const course = makeCourse({ storage, endings, listeners, clock, alarm, log });
    const compose = makeCompose({ account, publicUrl, random, seal, texts });
    const takeCall = makeTake('calls', limits.callsPerAccount, 'Too many requests of this account. Wait before sending another.');
    const send = makeSend({
      catalogue,
      storage,
      compose,
      reach,
      withdraw: payments.withdraw,
      listeners,
      course,
      dispatch,
      limits,
      seal,
      random,
      clock,
      log,
      texts,
      gateway: payments.gateway,
      demo,
    });
    const resend = makeResend({ storage, compose, course, dispatch, limits, clock, log });
    const checkPasscode = makeCheckPasscode({ storage, endings, seal, limits, clock });

    const authenticate = makeAuthenticate([{ account, secretKeys: [secretKey] }]);
    const add = makeAddOperation({ server, authenticate, takeCall, clock, log });
    addAppOperations({ add, catalogue, enrolments: makeEnrolments(storage, demo), send, checkPasscode });
    addRequestOperations({ add, requests: storage.requests, notes: storage.notes, endings, resend, documentUrl });
    addWebhookOperations({ add, webhooks: storage.webhooks, dispatch: webhooks, clock });
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
      reach,
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
    const goOn = payments.serve(server, pages);
    const keepsake = makeKeepsake(documentUrl);
    const flows = { passkeys };
    addLinks({ server, storage, endings, listeners, pages, open, flows, publicUrl, random, clock, produce, keepsake, goOn });
    addDocumentRoutes({ server, tickets, documents: storage.signedDocuments, seal, pages, texts, clock, log });
    opened.serve(server, receipts);
    if (demo) addOutbox({ server, store: outbox, seal, assets, texts, publicUrl, leave: !!(ways.sms || ways.mail), log });
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
    const close = async () => {
      await sockets.close();
      await server.close();
      await Promise.all([dispatch.stop(), course.stop(), payments.close(), webhooks.stop()]);
      await Promise.all([opened.close(), agent.close()]);
      await storage.close();
    };
    let closing: Promise<void> | undefined;
    const authority = `${options.host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
    dispatch.wake(clock.now());
    course.wake(clock.now());
    payments.closing.wake(clock.now());
    webhooks.wake(clock.now());
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
        await payments.closing.settled();
        await webhooks.settled();
      },
      close: () => (closing ??= close()),
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
