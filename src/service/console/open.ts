// Assembles the console: its sign-in method and its parts, or a page for when there is no sign-in method.

import { makeOpenIdFlow } from '../../platform/sign-in/openid/flow.ts';
import { makeLoginStates } from '../../platform/sign-in/openid/login-states.ts';
import { openProvider } from '../../platform/sign-in/openid/provider.ts';
import { makeStandings } from '../../platform/sign-in/openid/standing.ts';
import { makeSessions, type SignInPlace } from '../../platform/sign-in/sessions.ts';
import type { Random } from '../core/secrets/random.ts';
import type { Seal } from '../core/secrets/seal.ts';
import type { Storage } from '../core/store/index.ts';
import { makeFrame } from './frame.ts';
import { makeLinkSignIn } from './link-sign-in.ts';
import { type OpenIdSettings, ranksOf } from './openid/settings.ts';
import { makeOpenIdSignIn } from './openid/sign-in.ts';
import { addConsole, addNoConsole, type ConsoleOptions, type NoConsoleOptions } from './routes.ts';
import type { RecordConsoleAccess } from './sign-in-method.ts';

export interface OpenConsoleOptions
  extends Omit<ConsoleOptions, 'signInMethod' | 'frame' | 'record' | 'sessions'>,
    Omit<NoConsoleOptions, 'server' | 'texts'> {
  readonly storage: Pick<Storage, 'console' | 'signIns'>;
  /** Where users sign in. Unset: with a link in demo mode, otherwise not at all. */
  readonly openId: OpenIdSettings | undefined;
  readonly demo: boolean;
  readonly seal: Seal;
  readonly random: Random;
}

/** The location of the sign-in pages. */
const place: SignInPlace = { name: 'console', path: '/console' };

export interface OpenConsole {
  /** The path that opens it. `undefined`: there is no console. */
  readonly path: string | undefined;
  close(): Promise<void>;
}

/** Adds the console if there is a way to sign in; otherwise a page that says that there is none. */
export const openConsole = (options: OpenConsoleOptions): OpenConsole => {
  const { storage, openId, demo, sections, assets, look, publicUrl, seal, random, clock, log } = options;
  if (!openId && !demo) {
    addNoConsole(options);
    return { path: undefined, close: async () => {} };
  }
  const frame = makeFrame({ sections, assets, look, name: 'Countersign' });
  const secure = () => publicUrl().protocol === 'https:';
  const sessions = makeSessions({ place, store: storage.console, random, secure });
  const record: RecordConsoleAccess = ({ person, role }, { action, subject }, { clientAddress: address }) => {
    const at = clock.now();
    return storage.console.record({ id: random.id(at), person, role, action, subject, address, at });
  };
  // Only one method at a time: if users sign in by name, a link that anybody may hold would make the access log
  // worthless (decision 0158).
  if (!openId) {
    const signInMethod = makeLinkSignIn({ sessions, frame, record, clock, random });
    addConsole({ ...options, signInMethod, sessions, record, frame });
    return { path: signInMethod.path, close: async () => {} };
  }
  const ranks = ranksOf(openId);
  const common = { component: place.name, settings: openId, clock, log };
  const provider = openProvider(common);
  const loginStates = makeLoginStates({ place, store: storage.signIns, seal, random, secure });
  const standings = makeStandings({ ...common, provider, ranks, least: 'viewer', store: storage.console, record, seal });
  const flow = makeOpenIdFlow({ ...common, place, provider, ranks, sessions, standings, loginStates, record, seal, publicUrl });
  const signInMethod = makeOpenIdSignIn({ flow, standings, frame });
  addConsole({ ...options, signInMethod, sessions, record, frame });
  return { path: signInMethod.path, close: provider.close };
};
