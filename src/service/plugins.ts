// The plug-ins beside the core, each opened with what it needs from the others.

import { consolePlugin } from './console/plugin.ts';
import { openAudit } from './core/audit/plugin.ts';
import type { Ground } from './core/context.ts';
import type { Core } from './core/core.ts';
import type { Plugin } from './core/plugin.ts';
import type { Ports } from './core/ports.ts';
import { openDelivery } from './delivery/plugin.ts';
import { docsPlugin } from './docs/plugin.ts';
import { openDocuments } from './document-signature/plugin.ts';
import type { ServiceOptions } from './options.ts';
import { passkeysPlugin } from './passkeys/plugin.ts';
import { openPayments } from './payments/plugin.ts';
import { openWebhooks } from './webhooks/plugin.ts';

export interface Plugins {
  /** In the order in which they plug into the core. */
  readonly all: readonly Plugin[];
  /** What they provide to the core. */
  readonly ports: Ports;
}

/** @throws {SettingsError} if a plug-in cannot use one of its settings. */
export const openPlugins = async (ground: Ground, options: ServiceOptions, core: () => Core): Promise<Plugins> => {
  const opening = { ...ground, core };
  const { delivery: given, gateway, openId, signing, ways = {} } = options;
  const documents = await openDocuments(opening, signing);
  const { sealFile, ports } = documents;
  const payments = await openPayments(opening, { settings: gateway ?? { name: 'sandbox' }, sealFile });
  const delivery = await openDelivery(opening, { given, ways });
  const audit = openAudit(opening, sealFile);
  const webhooks = openWebhooks(opening, ports.documentUrl);
  const passkeys = passkeysPlugin(opening);
  const docs = docsPlugin(opening);
  const console = consolePlugin(opening, { openId, audit, posting: webhooks.posting, documentUrl: ports.documentUrl });
  return {
    all: [audit, webhooks, passkeys, payments, documents, docs, delivery, console],
    ports: {
      ...ports,
      ...payments.ports,
      ...delivery.ports,
      keepsakes: { ...ports.keepsakes, ...payments.ports.keepsakes },
    },
  };
};
