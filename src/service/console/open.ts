// The console put together: which way leads into it, what it is made of, and where there is none.
import type { Random } from '../core/random.ts';
import type { Seal } from '../core/seal.ts';
import type { Storage } from '../core/store/index.ts';
import { makeFrame } from './frame.ts';
import { makeLinkSignIn } from './link-sign-in.ts';
import { makeLoginStates } from './openid/login-states.ts';
import { openProvider } from './openid/provider.ts';
import type { OpenIdSettings } from './openid/settings.ts';
import { makeOpenIdSignIn } from './openid/sign-in.ts';
import { makeStandings } from './openid/standing.ts';
import { addConsole, addNoConsole, type ConsoleOptions, type NoConsoleOptions } from './routes.ts';
import { makeSessions } from './sessions.ts';
import type { RecordAccess } from './sign-in-method.ts';

export interface OpenConsoleOptions
  extends Omit<ConsoleOptions, 'signInMethod' | 'frame' | 'record' | 'sessions'>,
    Omit<NoConsoleOptions, 'server' | 'texts'> {
  readonly storage: Pick<Storage, 'console' | 'signIns'>;
  /** Where people sign in. Unset: by a link in demo mode, else nowhere. */
  readonly openId: OpenIdSettings | undefined;
  readonly demo: boolean;
  readonly seal: Seal;
  readonly random: Random;
}

export interface OpenConsole {
  /** The path that it is opened by. `undefined`: there is no console. */
  readonly path: string | undefined;
  close(): Promise<void>;
}

/** Adds the console where there is a way into it; else a page that says that there is none. */
export const openConsole = (options: OpenConsoleOptions): OpenConsole => {
  const { storage, openId, demo, sections, assets, look, publicUrl, seal, random, clock, log } = options;
  if (!openId && !demo) {
    addNoConsole(options);
    return { path: undefined, close: async () => {} };
  }
  const frame = makeFrame({ sections, assets, look, name: 'Countersign' });
  const secure = () => publicUrl().protocol === 'https:';
  const sessions = makeSessions({ store: storage.console, random, secure });
  const record: RecordAccess = ({ person, role }, { action, subject }, { clientAddress: address }) => {
    const at = clock.now();
    return storage.console.record({ id: random.id(at), person, role, action, subject, address, at });
  };
  const common = { sessions, frame, record, publicUrl, clock };
  // One method at a time: with people signed in by name, a link that anybody may hold would make the access log
  // worthless (decision 0071).
  if (!openId) {
    const signInMethod = makeLinkSignIn({ ...common, random });
    addConsole({ ...options, signInMethod, sessions, record, frame });
    return { path: signInMethod.path, close: async () => {} };
  }
  const provider = openProvider({ settings: openId, clock, log });
  const loginStates = makeLoginStates({ store: storage.signIns, seal, random, secure });
  const standings = makeStandings({ provider, settings: openId, store: storage.console, record, seal, clock, log });
  const signInMethod = makeOpenIdSignIn({ ...common, provider, settings: openId, standings, loginStates, seal, log });
  addConsole({ ...options, signInMethod, sessions, record, frame });
  return { path: signInMethod.path, close: provider.close };
};
