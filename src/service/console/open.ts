// Assembles the console: its sign-in method and its parts, or a page for when there is no sign-in method.

import type { HttpRequest } from '../../platform/http/http-server.ts';
import type { SignInPlace } from '../../platform/sign-in/sessions.ts';
import { openSignIn } from '../../platform/sign-in/sign-in.ts';
import { negotiate } from '../core/languages.ts';
import type { Random } from '../core/random.ts';
import type { Seal } from '../core/seal.ts';
import type { Role } from '../core/store/console.ts';
import type { Storage } from '../core/store/index.ts';
import { makeFrame } from './frame.ts';
import { type OpenIdSettings, ranksOf } from './openid/settings.ts';
import { addConsole, addNoConsole, type ConsoleOptions, type NoConsoleOptions } from './routes.ts';
import { linkHolder, type RecordConsoleAccess, signInPages } from './sign-in.ts';

export interface OpenConsoleOptions
  extends Omit<ConsoleOptions, 'signIn' | 'frame' | 'record' | 'textsFor'>,
    Omit<NoConsoleOptions, 'server'> {
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
  const { storage, openId, demo, sections, assets, look, texts, publicUrl, seal, random, clock, log } = options;
  if (!openId && !demo) {
    addNoConsole(options);
    return { path: undefined, close: async () => {} };
  }
  const frame = makeFrame({ sections, assets, look, name: 'Countersign' });
  const record: RecordConsoleAccess = ({ person, role }, { action, subject }, { clientAddress: address }) => {
    const at = clock.now();
    return storage.console.record({ id: random.id(at), person, role, action, subject, address, at });
  };
  const textsFor = ({ headers }: Pick<HttpRequest, 'headers'>) => texts(negotiate(headers['accept-language'], 'en'));
  const signIn = openSignIn<Role>({
    ...{ place, store: storage.console, logins: storage.signIns, random, record, seal, publicUrl, clock, log },
    pages: signInPages(frame, textsFor),
    secure: () => publicUrl().protocol === 'https:',
    link: linkHolder(frame, textsFor),
    openId: openId && { ...openId, ranks: ranksOf(openId), least: 'viewer' },
  });
  addConsole({ ...options, signIn, record, frame, textsFor });
  return { path: signIn.path, close: signIn.close };
};
