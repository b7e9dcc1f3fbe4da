// The parts of the service, opened one after the other: the only place that knows them all.
import { openConsole } from './console/open.ts';
import { openConsoleStore } from './console/store.ts';
import type { Accounts } from './core/accounts.ts';
import type { ServiceApps } from './core/app.ts';
import { openAudit } from './core/audit/operations.ts';
import type { ServiceContext } from './core/context.ts';
import { makeCore } from './core/core.ts';
import { addLinks } from './core/device/links.ts';
import type { Prepared } from './core/options.ts';
import { openDelivery } from './delivery/open.ts';
import { addDocs } from './docs/routes.ts';
import { defineDocumentSignature } from './document-signature/app.ts';
import { addDocumentRoutes, makeDocumentUrl } from './document-signature/routes.ts';
import { eForm } from './e-form/app.ts';
import { oneTimePasscode } from './one-time-passcode/app.ts';
import { addPasscodeOperations } from './one-time-passcode/routes.ts';
import type { ServiceOptions } from './options.ts';
import { definePasskeys } from './passkeys/app.ts';
import { makeCeremony } from './passkeys/ceremony.ts';
import { makePasskeyFlow } from './passkeys/flow.ts';
import { addPasskeyRoutes } from './passkeys/routes.ts';
import { makePasskeys } from './passkeys/store.ts';
import { openPayments } from './payments/open.ts';
import { openSealFile } from './pdf/sealing.ts';
import { openWebhooks } from './webhooks/open.ts';

/** @throws {SettingsError} if a part cannot use one of its settings. */
export const openParts = async (context: ServiceContext, options: ServiceOptions & Prepared) => {
  const { accounts, dataDir, storage, clock } = context;
  const sealFile = await openSealFile({ dataDir, owner: ownerOf(accounts), at: clock.now() }, options.signing);
  const payments = await openPayments(context, options.gateway);
  const delivery = await openDelivery(context, options.ways, options.delivery);
  const passkeys = makePasskeys(storage);
  const apps: ServiceApps = {
    passkeys: definePasskeys(passkeys, context.demo),
    'one-time-passcode': oneTimePasscode,
    'document-signature': defineDocumentSignature(context, sealFile, makeDocumentUrl(context)),
    payments: payments.app,
    'e-form': eForm,
  };
  const core = makeCore(context, apps, delivery.delivery, options);
  const consoleStore = openConsoleStore(storage);
  addPasscodeOperations(core, consoleStore.sessions.record);
  const audit = openAudit(core, core.add, sealFile);
  const webhooks = openWebhooks(core);
  const ceremony = makeCeremony(context);
  addPasskeyRoutes(core, ceremony, passkeys);
  addLinks(core, { passkeys: makePasskeyFlow(core, ceremony, passkeys) }, payments.serve(core, sealFile));
  addDocumentRoutes(core);
  addDocs(core);
  delivery.serve(core);
  const console = openConsole(core, consoleStore, { audit, webhooks }, options.openId);
  return {
    core,
    /** The path that opens the console, if there is one. */
    consolePath: console.path,
    /** Woken at the start, stopped at the end. */
    schedulers: [core.dispatch, core.scheduler, webhooks.posting, payments.closing],
    /** What is removed past its time, besides requests. */
    retention: consoleStore.retention(options.accessLogDays),
    /** Releases what the parts hold, after everything that uses it has stopped. */
    close: async () => {
      await Promise.all([payments.close(), delivery.close(), webhooks.close(), console.close()]);
    },
  };
};

/** In whose name the development certificate is made. */
const ownerOf = ({ all: [first, ...others] }: Accounts) => (first && others.length === 0 ? first.account.name : 'Countersign');
