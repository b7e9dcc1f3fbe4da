// A sign-in method of the console. There are two: a one-time link on this machine, and an OpenID provider.

import type { BodyLimits } from '../../platform/http/http-body.ts';
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import type { RecordAccess as SharedRecord } from '../../platform/sign-in/accesses.ts';
import type { ConfirmSession } from '../../platform/sign-in/openid/standing.ts';
import type { TextKey, Texts } from '../core/texts.ts';
import type { ConsoleSession, ConsoleSessionHeld, Role } from './store.ts';

export type RecordConsoleAccess = SharedRecord<Role>;

/** A page or post of a sign-in method, below `/console`. Its visitors are not signed in yet. */
export interface SignInRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (call: HttpRequest, texts: Texts) => Answer | Promise<Answer>;
  readonly limits?: BodyLimits;
}

export interface SignInMethod {
  /** Checks who may reach the sign-in. @throws {HttpProblem} for everybody else. */
  readonly admit: (call: HttpRequest) => void;
  readonly routes: readonly SignInRoute[];
  /** What users see who are not signed in. */
  readonly outside: (call: HttpRequest, texts: Texts) => Answer;
  /** The current user and role of a session. `undefined`: the session has ended. */
  readonly confirm: ConfirmSession<Role>;
  /** What a viewer is told who tries something that requires an operator. */
  readonly forbidden: (session: ConsoleSessionHeld) => TextKey;
  /** What users see who have just signed out here. */
  readonly farewell: (session: ConsoleSession, texts: Texts) => Answer | Promise<Answer>;
  /** The path that opens the console, for the person who started the service. */
  readonly path: string;
}
