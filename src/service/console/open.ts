// Assembles the console: its sign-in method and its parts, or a page for when there is no sign-in method.

import { makeOpenIdFlow } from '../../platform/sign-in/openid/flow.ts';
import { makeLoginStates } from '../../platform/sign-in/openid/login-states.ts';
import { openProvider } from '../../platform/sign-in/openid/provider.ts';
import { makeStandings } from '../../platform/sign-in/openid/standing.ts';
import { makeSessions, type SignInPlace } from '../../platform/sign-in/sessions.ts';
import type { Core } from '../core/core.ts';
import { makeFrame } from './frame.ts';
import { makeLinkSignIn } from './link-sign-in.ts';
import { type OpenIdSettings, ranksOf } from './openid/settings.ts';
import { makeOpenIdSignIn } from './openid/sign-in.ts';
import { addConsole, addNoConsole } from './routes.ts';
import { type ConsoleParts, makeSections } from './sections.ts';
import type { RecordConsoleAccess } from './sign-in-method.ts';
import type { openConsoleStore } from './store.ts';

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
  parts: Omit<ConsoleParts, 'store'>,
  openId: OpenIdSettings | undefined,
): { readonly path: string | undefined; close(): Promise<void> } => {
  const { demo, assets, looks, publicUrl, seal, random, clock, log } = core;
  if (!openId && !demo) {
    addNoConsole(core);
    return { path: undefined, close: async () => {} };
  }
  const sections = makeSections(core, { ...parts, store });
  const frame = makeFrame({ sections, assets, look: looks.service, name: 'Countersign' });
  const secure = () => publicUrl().protocol === 'https:';
  const sessions = makeSessions({ place, store, random, secure });
  const record: RecordConsoleAccess = ({ person, role }, { action, subject }, { clientAddress: address }) => {
    const at = clock.now();
    return store.record({ id: random.id(at), person, role, action, subject, address, at });
  };
  // Only one method at a time: if users sign in by name, a link that anybody may hold would make the access log
  // worthless (decision 0158).
  if (!openId) {
    const signInMethod = makeLinkSignIn({ sessions, frame, record, clock, random });
    addConsole(core, { sections, signInMethod, sessions, record, frame });
    return { path: signInMethod.path, close: async () => {} };
  }
  const ranks = ranksOf(openId);
  const common = { component: place.name, settings: openId, clock, log };
  const provider = openProvider(common);
  const loginStates = makeLoginStates({ place, store: signIns, seal, random, secure });
  const standings = makeStandings({ ...common, provider, ranks, least: 'viewer', store, record, seal });
  const flow = makeOpenIdFlow({ ...common, place, provider, ranks, sessions, standings, loginStates, record, seal, publicUrl });
  const signInMethod = makeOpenIdSignIn({ flow, standings, frame });
  addConsole(core, { sections, signInMethod, sessions, record, frame });
  return { path: signInMethod.path, close: provider.close };
};
