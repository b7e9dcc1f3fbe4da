// A sign-in method of the console. There are two: a one-time link on this machine, and an OpenID provider.

import type { BodyLimits } from '../../platform/http-body.ts';
import type { Answer, HttpRequest } from '../../platform/http-server.ts';
import type { RecordAccess as SharedRecord } from '../../platform/sign-in/accesses.ts';
import type { ConfirmSession } from '../../platform/sign-in/openid/standing.ts';
import type { ConsoleSession, ConsoleSessionHeld, Role } from '../core/store/console.ts';
import type { TextKey, Texts } from '../core/texts.ts';

export type RecordConsoleAccess = SharedRecord<Role>;

/** A page or post of a way in, below `/console`. Everybody who comes there is a stranger. */
export interface SignInRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (call: HttpRequest, texts: Texts) => Answer | Promise<Answer>;
  readonly limits?: BodyLimits;
}

export interface SignInMethod {
  /** Who may come as far as signing in. @throws {HttpProblem} for everybody else. */
  readonly admit: (call: HttpRequest) => void;
  readonly routes: readonly SignInRoute[];
  /** What somebody sees who is not signed in. */
  readonly outside: (call: HttpRequest, texts: Texts) => Answer;
  /** Who somebody with a session is by now. `undefined`: their session has ended. */
  readonly confirm: ConfirmSession<Role>;
  /** What a viewer is told who wants what takes an operator. */
  readonly forbidden: (session: ConsoleSessionHeld) => TextKey;
  /** What somebody sees who has just signed out here. */
  readonly farewell: (session: ConsoleSession, texts: Texts) => Answer | Promise<Answer>;
  /** The path that opens the console, for the person who started the service. */
  readonly path: string;
}
