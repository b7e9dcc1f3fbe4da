// Assembles the console: its sign-in method and its parts, or a page for when there is no sign-in method.

import type { HttpRequest } from '../../platform/http/http-server.ts';
import { negotiateLanguage } from '../../platform/text/languages.ts';
import type { SignInPlace } from '../../sign-in/sessions.ts';
import { openSignIn } from '../../sign-in/sign-in.ts';
import type { Core } from '../core/core.ts';
import type { OpenWebhooks } from '../webhooks/open.ts';
import { makeFrame } from './frame.ts';
import { type OpenIdSettings, ranksOf } from './openid/settings.ts';
import type { AuditParts } from './requests/request.ts';
import { addConsole, addNoConsole } from './routes.ts';
import { makeSections } from './sections.ts';
import { linkHolder, type RecordConsoleAccess, signInPages } from './sign-in.ts';
import type { openConsoleStore, Role } from './store.ts';

/** The location of the sign-in pages. */
const place: SignInPlace = { name: 'console', path: '/console' };

/**
 * Adds the console if there is a way to sign in; otherwise a page that says that there is none.
 * @param openId - where users sign in. Unset: with a link in demo mode, otherwise not at all
 * @returns the path that opens it, if there is a console
 */
export const openConsole = (
  core: Core,
  { sessions: store, signIns }: ReturnType<typeof openConsoleStore>,
  { audit, webhooks }: { readonly audit: AuditParts; readonly webhooks: OpenWebhooks },
  openId: OpenIdSettings | undefined,
): { readonly path: string | undefined; close(): Promise<void> } => {
  const { demo, texts, publicUrl, seal, random, clock, log } = core;
  if (!openId && !demo) {
    addNoConsole(core);
    return { path: undefined, close: async () => {} };
  }
  const sections = makeSections(core, store, audit, webhooks);
  const frame = makeFrame(core, sections);
  const record: RecordConsoleAccess = ({ person, role }, { action, subject }, { clientAddress: address }) => {
    const at = clock.now();
    return store.record({ id: random.id(at), person, role, action, subject, address, at });
  };
  const textsFor = ({ headers }: Pick<HttpRequest, 'headers'>) => texts(negotiateLanguage(headers['accept-language'], 'en'));
  const signIn = openSignIn<Role>({
    ...{ place, store, logins: signIns, random, record, seal, publicUrl, clock, log },
    pages: signInPages(frame, textsFor),
    secure: () => publicUrl().protocol === 'https:',
    link: linkHolder(frame, textsFor),
    openId: openId && { ...openId, ranks: ranksOf(openId), least: 'viewer' },
  });
  addConsole(core, { sections, signIn, record, frame, textsFor });
  return { path: signIn.path, close: signIn.close };
};
