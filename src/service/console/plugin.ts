// The console as a part of the service: its sections use the core and the parts that they show.

import type { Scheduler } from '../../platform/time/scheduler.ts';
import type { Opening, Plugin } from '../core/plugin.ts';
import { openConsole } from './open.ts';
import type { OpenIdSettings } from './openid/settings.ts';
import type { AuditParts } from './requests/audit.ts';
import { makeSections } from './sections.ts';

export interface ConsolePluginOptions {
  readonly openId: OpenIdSettings | undefined;
  readonly audit: AuditParts;
  /** Posts webhooks. */
  readonly posting: Scheduler;
  readonly documentUrl: (requestId: string) => string;
}

export const consolePlugin = (opening: Opening, { openId, audit, posting, documentUrl }: ConsolePluginOptions): Plugin => {
  let close = async () => {};
  return {
    ports: {},
    serve: (core) => {
      const sections = makeSections({ ...opening, ...core, documentUrl, audit, posting });
      const opened = openConsole({ ...opening, sections, look: opening.looks.service, openId });
      close = opened.close;
      return { consolePath: opened.path };
    },
    close: () => close(),
  };
};
