// Whether an answer is one that is documented: a problem by its code, Direct Line's own form, or a page that says what
// to do.
import { problems } from '../../src/service/core/api/problems.ts';
import type { Attack } from './attack.ts';

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The bot's own, beside those of bodies and addresses. */
const ofBot = ['invalid_activity', 'wrong_host', 'invalid', 'too_many_chats', 'too_many_turns'];
const known = new Set([...Object.keys(problems), ...ofBot]);

/** What is wrong with an answer; `undefined` when nothing is. */
export const faultOf = ({ method, path, answers }: Attack, { status, type, text }: Answered): string | undefined => {
  if (!answers.includes(status)) return `was answered ${status}`;
  if (method === 'HEAD') return undefined;
  if (/\bat .+\.ts:\d|node_modules|Error:/.test(text)) return 'tells of the inside';
  if (type.startsWith('text/html')) return /<h1>[^<]+<\/h1>/.test(text) ? undefined : 'is a page that says nothing';
  const body = bodyIn(text);
  if (path.startsWith('/v3/directline') && body?.error) {
    return /^[A-Z][A-Za-z]+$/.test(body.error.code) && body.error.message ? undefined : 'is no refusal of Direct Line';
  }
  if (type !== 'application/problem+json') return `is of the type ${type || 'none'}`;
  if (body?.status !== status || !/^[A-Z].*\.$/.test(body.detail ?? '')) return 'is no problem as it is documented';
  return known.has(body.code ?? '') ? undefined : `has the code ${body.code}, which is documented nowhere`;
};

interface Refusal {
  readonly status?: number;
  readonly code?: string;
  readonly detail?: string;
  readonly error?: { readonly code: string; readonly message?: string };
}

const bodyIn = (text: string): Refusal | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
