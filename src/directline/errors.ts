// What Direct Line refuses, in its own form: `{ error: { code, message } }`.
import type { HttpProblem } from '../platform/http-problem.ts';

/** The codes a client can meet. Stable: programs branch on them. */
export type DirectLineCode =
  | 'BadArgument'
  | 'BotError'
  | 'BotTimeout'
  | 'ConversationNotFound'
  | 'Forbidden'
  | 'MessageSizeTooBig'
  | 'MissingToken'
  | 'NotFound'
  | 'NotSupported'
  | 'ServiceError'
  | 'TokenExpired'
  | 'TooManyRequests';

/** An expected refusal. The message is for developers and holds nothing personal. */
export class DirectLineError extends Error {
  override readonly name = 'DirectLineError';
  readonly status: number;
  readonly code: DirectLineCode;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: DirectLineCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The conversation that the bot wants to post to is not there, and will not come back: trying again is no use. */
export class ConversationGone extends Error {
  override readonly name = 'ConversationGone';
  readonly status = 404;
  readonly code = 'conversation_not_found';
  readonly final = true;
  /** Nothing was posted, for certain. */
  readonly ambiguous = false;
}

const codes: Readonly<Record<number, DirectLineCode>> = { 413: 'MessageSizeTooBig', 429: 'TooManyRequests' };

/** What reading a body found wrong, or the bot refused, said Direct Line's way. */
export const fromProblem = ({ status, detail, headers }: HttpProblem) =>
  new DirectLineError(status, codes[status] ?? 'BadArgument', detail, headers);
