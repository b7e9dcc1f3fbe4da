// What signing in is, for the pages of a room and for the two ways to do it.
import type { Answer, HttpRequest } from '../platform/http/http-server.ts';
import type { Log } from '../platform/log.ts';
import type { isFromThisMachine } from '../platform/outgoing/loopback.ts';
import type { Sealing } from '../platform/secrets/sealing.ts';
import type { Html } from '../platform/text/html.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { RecordAccess } from './accesses.ts';
import type { SignIns } from './login-store.ts';
import type { HeldSession, Session, SessionStore } from './session-store.ts';
import type { Sessions, SessionTokens, SignInPlace } from './sessions.ts';

/** What a page of a sign-in says. */
export type SignInScreen =
  /** Not signed in: a link is needed, or a click that leads to the provider. */
  | 'link-needed'
  | 'start'
  /** The link has been used. */
  | 'used'
  /** On the way to the provider, back from it, and out there too. */
  | 'onward'
  | 'arrived'
  | 'left'
  | 'declined'
  | 'doubtful'
  | 'unavailable'
  | 'no-role'
  | 'too-many';

/** The pages of a room that concern signing in, in the visitor's language. */
export interface SignInPages {
  show(
    call: HttpRequest,
    status: number,
    screen: SignInScreen,
    more?: {
      readonly body?: Html | undefined;
      readonly head?: Html | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    },
  ): Answer;
  label(call: HttpRequest, button: 'again' | 'onward' | 'other' | 'sign-in'): string;
}

/** A page or post, below the path of the pages. Visitors need not be signed in. */
export interface SignInRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (call: HttpRequest) => Answer | Promise<Answer>;
}

/** One of the two ways to sign in. */
export interface SignInMethod<Role extends string> {
  /** The path that opens the pages, for whoever started the program. */
  readonly path: string;
  readonly routes: readonly SignInRoute[];
  /** Who may reach the pages at all. */
  admits(asking: Parameters<typeof isFromThisMachine>[0]): boolean;
  /** What people see who are not signed in. */
  outside(call: HttpRequest): Answer;
  /** Called at each visit: the current person and role of a session. `undefined`: the session has ended. */
  readonly confirm: (session: HeldSession<Role>, call: Pick<HttpRequest, 'clientAddress'>) => Promise<HeldSession<Role> | undefined>;
  /** What people see who have just signed out here. */
  signedOut(call: HttpRequest, session: Session<Role>): Answer | Promise<Answer>;
  /** Makes a link for somebody else. Unset: people sign in through the provider. */
  readonly invite?: () => string;
  close(): Promise<void>;
}

/** What both ways need. */
export interface SignInParts<Role extends string> {
  readonly place: SignInPlace;
  readonly pages: SignInPages;
  readonly sessions: Sessions<Role>;
  readonly store: SessionStore<Role>;
  readonly logins: SignIns;
  readonly record: RecordAccess<Role>;
  readonly random: SessionTokens;
  /** Whether the pages are reached over https. */
  readonly secure: () => boolean;
  readonly publicUrl: () => URL;
  readonly seal: Sealing;
  readonly clock: Clock;
  readonly log: Log;
}
