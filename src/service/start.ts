// Starting the service: its parts put together, its routes added, its schedulers set going.

import { makeHttpServer } from '../platform/http-server.ts';
import { keptSecret } from '../platform/kept-secret.ts';
import { makeMakeCertificate } from './audit/certificate.ts';
import { makeCertify } from './audit/certify.ts';
import { addAuditOperations } from './audit/operations.ts';
import { makeReadTrail } from './audit/report.ts';
import { openConsole } from './console/open.ts';
import { makeSections } from './console/sections.ts';
import { makeAuthenticate, withOwnKey } from './core/accounts.ts';
import { makeAlarm } from './core/alarm.ts';
import { type AppOperationsOptions, addAppOperations } from './core/api/apps.ts';
import { makeAddOperation, type OperationDescription } from './core/api/operations.ts';
import { problemPath } from './core/api/problems.ts';
import { addRequestOperations } from './core/api/requests.ts';
import { withEncryptionKeys } from './core/catalogue/account-key.ts';
import { makeAccounts } from './core/catalogue/accounts.ts';
import { addLinks } from './core/device/links.ts';
import { makeOpenLink } from './core/device/opening.ts';
import { type Keepsake, makePagesOf } from './core/device/pages.ts';
import { startHousekeeping } from './core/housekeeping.ts';
import { makeEndings } from './core/lifecycle/endings.ts';
import { makeCompose } from './core/lifecycle/messages.ts';
import { makeCheckPasscode } from './core/lifecycle/passcodes.ts';
import { makeReach } from './core/lifecycle/reach.ts';
import { makeReceipts } from './core/lifecycle/receipts.ts';
import { makeRequestScheduler } from './core/lifecycle/request-scheduler.ts';
import { makeResend } from './core/lifecycle/resends.ts';
import { makeSend } from './core/lifecycle/sends.ts';
import { makeUnlocks, unlockedSubject } from './core/lifecycle/unlock.ts';
import { makeListeners } from './core/listeners.ts';
import { makeDispatch } from './core/outbox/dispatch.ts';
import { addServiceAssets } from './core/pages/assets.ts';
import { addLooks, makeBrandOf, themeOf } from './core/pages/looks.ts';
import { makeTakeCall } from './core/quota.ts';
import { makeRandom } from './core/random.ts';
import { makeSeal } from './core/seal.ts';
import { openStorage } from './core/store/index.ts';
import { makeTexts } from './core/texts.ts';
import { makeTickets } from './core/tickets.ts';
import { openSockets, socketPath } from './core/websocket/sockets.ts';
import { openDelivery } from './delivery/open.ts';
import { addOutbox } from './delivery/outbox-routes.ts';
import { addDocs } from './docs/routes.ts';
import { addDocumentRoutes } from './documents/links.ts';
import { openDocuments } from './documents/open.ts';
import type { RunningService, ServiceOptions } from './options.ts';
import { addPasskeys } from './passkeys/index.ts';
import { openPayments } from './payments/open.ts';
import { openPaymentReceipts } from './payments/payment-receipt.ts';
import { prepare } from './prepare.ts';
import { webhookDescriptions } from './webhooks/description.ts';
import { makeSubscribers } from './webhooks/dispatch.ts';
import { openWebhooks } from './webhooks/open.ts';
import { addWebhookOperations } from './webhooks/routes.ts';

/**
 * Starts the service. Requests that were pending when it last stopped are taken up again.
 * @throws {SettingsError} when an option, the catalogue, the data folder or the port cannot be used.
 */
export const startService = async (options: ServiceOptions): Promise<RunningService> => {
  const { dataDir, demo, log, ways = {}, random = makeRandom() } = options;
  const { loaded, theme, configuredUrl, limits } = prepare(options);
  const pepper = options.pepper ?? keptSecret(dataDir, 'service.pepper');
  const seal = makeSeal(pepper);
  const subscribers = makeSubscribers(loaded.map(({ catalogue }) => catalogue));
  const storage = await openStorage({ dataDir, url: options.databaseUrl, newId: random.id, seal, log, subscribers });
  try {
    const clock = options.clock ?? storage.clock;
    const alarm = options.alarm ?? makeAlarm(clock);
    const accounts = makeAccounts(await withEncryptionKeys(loaded, options));
    const secretKey = options.secretKey ?? keptSecret(dataDir, 'service.key');
    const server = makeHttpServer({
      name: 'countersign-service',
      log,
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin' },
      secure: configuredUrl?.protocol === 'https:',
      ...(options.proxies !== undefined && { proxies: options.proxies }),
      problemType: (code) => new URL(problemPath(code), publicUrl()).href,
    });
    const listeners = makeListeners({ bus: storage.bus, requests: storage.shared ? storage.requests : undefined, log });
    const texts = makeTexts();
    const assets = await addServiceAssets(server);
    const looks = addLooks(server, loaded, theme);
    let port = 0;
    const publicUrl = () => configuredUrl ?? new URL(`http://localhost:${port}`);

    const tickets = makeTickets(pepper);
    const settings = options.gateway ?? { name: 'sandbox' };
    const parts = { storage, tickets, texts, publicUrl, random, clock, alarm, log, endings: () => endings };
    const payments = await openPayments({ ...parts, settings, products: accounts.all.flatMap(({ products }) => products) });
    const days = limits.documentLinkDays;
    const documents = await openDocuments({ signing: options.signing, dataDir, accounts, tickets, publicUrl, seal, texts, clock, days });
    const { sealFile, produce, documentUrl } = documents;
    const receipt = openPaymentReceipts({ accounts, storage, tickets, sealFile, texts, publicUrl, clock, days });
    const keepsake: Keepsake = (request, words) => documents.keepsake(request, words) ?? receipt.keepsake(request, words);
    const endings = makeEndings({ storage, listeners, clock, random, log, produce, withdraw: payments.withdraw });
    const receipts = makeReceipts({ storage, endings, listeners, clock, log });
    const { outbox } = storage;
    const brandOf = makeBrandOf(accounts, looks);
    const opened = await openDelivery({ given: options.delivery, ways, demo, outbox, seal, texts, brandOf, publicUrl, clock, log });
    const { delivery } = opened;
    const reach = makeReach(delivery, options.smsCountries);
    const dispatch = makeDispatch({ storage, delivery, seal, clock, alarm, listeners, log, giveUp: receipts.giveUp });
    const webhooks = openWebhooks({ accounts, demo, storage, documentUrl, clock, alarm, log });
    listeners.onAny(() => webhooks.wake(clock.now()));
    const course = makeRequestScheduler({ storage, endings, listeners, clock, alarm, log });
    const compose = makeCompose({ accounts, publicUrl, random, seal, texts });
    const takeCall = makeTakeCall(storage, limits, clock);
    const send = makeSend({
      accounts,
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

    const accesses = withOwnKey(loaded, secretKey);
    const authenticate = makeAuthenticate(accesses, clock);
    const operations: OperationDescription[] = [];
    const describe = (operation: OperationDescription) => void operations.push(operation);
    const add = makeAddOperation({ server, authenticate, takeCall, clock, log, describe });
    const unlocks = makeUnlocks({ storage, limits, clock, log });
    const unlock: AppOperationsOptions['unlock'] = async (accountId, phoneNumber, { actor: person }, { clientAddress: address }) => {
      const at = clock.now();
      const subject = unlockedSubject(accounts, accountId, phoneNumber);
      await storage.console.record({ id: random.id(at), person, role: 'operator', action: 'unlock', subject, address, at });
      await unlocks.unlock(accountId, phoneNumber);
    };
    addAppOperations({ add, accounts, known: { passkeys: storage.passkeys, demo }, send, checkPasscode, unlock });
    addRequestOperations({ add, requests: storage.requests, notes: storage.notes, endings, resend, documentUrl });
    const readTrail = makeReadTrail({ storage, seal, log });
    const certify = makeCertify({ makeCertificate: makeMakeCertificate({ texts, sealFile, clock }), texts, clock });
    addAuditOperations({ add, accounts, requests: storage.requests, readTrail, certify });
    addWebhookOperations({ add, webhooks: storage.webhooks, dispatch: webhooks, clock });
    const pagesOf = makePagesOf({ accounts, assets, looks });
    const open = makeOpenLink({ accounts, storage, pagesOf, texts, clock });
    const passkeys = addPasskeys({ ...parts, server, open, accounts, endings, listeners, reach, dispatch, limits, seal });
    const goOn = payments.serve(server, pagesOf, receipt);
    const flows = { passkeys };
    addLinks({ server, storage, endings, listeners, open, flows, publicUrl, random, clock, produce, keepsake, goOn });
    addDocumentRoutes({ server, tickets, storage, seal, pagesOf, texts, clock, log });
    addDocs({ server, operations, webhooks: webhookDescriptions, demo, assets, publicUrl, socketPath });
    opened.serve(server, receipts);
    if (demo) addOutbox({ server, accounts, store: outbox, seal, assets, texts, leave: !!(ways.sms || ways.mail), log });
    const audit = { readTrail, certify };
    const sections = makeSections({ storage, unlocks, accesses, endings, resend, documentUrl, audit, posting: webhooks, clock });
    const forConsole = { server, storage, sections, accounts, assets, look: looks.service, texts, publicUrl, seal, random, clock, log };
    const desk = openConsole({ ...forConsole, openId: options.openId, demo });
    server.route('GET', '/healthz', () => ({ status: 200, body: { status: 'ok' } }));
    server.route('GET', '/readyz', async () => {
      const ready = await storage.ping().then(
        () => true,
        () => false,
      );
      return { status: ready ? 200 : 503, body: { status: ready ? 'ok' : 'unavailable' } };
    });

    const { hosts = [], proxies = 0 } = options;
    const forSockets = { node: server.node, requests: storage.requests, listeners, publicUrl, hosts, proxies, clock, random, log };
    const sockets = openSockets({ ...forSockets, limits: limits.socket });
    try {
      port = await server.listen(options.port, options.host, 'SERVICE_PORT');
    } catch (fault) {
      await sockets.close();
      throw fault;
    }
    const close = async () => {
      await sockets.close();
      await server.close();
      await Promise.all([
        desk.close(),
        house.close(),
        dispatch.stop(),
        course.stop(),
        payments.close(),
        webhooks.stop(),
        listeners.close(),
      ]);
      await opened.close();
      await storage.close();
    };
    let closing: Promise<void> | undefined;
    // The link is for this machine; people sign in where everybody reaches the service.
    const consoleUrlOf = (path: string) => (options.openId ? new URL(path, publicUrl()).href : `http://localhost:${port}${path}`);
    const authority = `${options.host.includes(':') ? '[::1]' : '127.0.0.1'}:${port}`;
    const house = startHousekeeping({
      storage,
      days: options.accessLogDays,
      requestDays: options.retentionDays,
      random: Math.random,
      clock,
      log,
    });
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
      consoleUrl: desk.path === undefined ? undefined : consoleUrlOf(desk.path),
      theme: themeOf(loaded, theme),
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
