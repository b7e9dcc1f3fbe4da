// The definition of a section of the console. Each is a value in its own file; `sections.ts` lists them in order.

import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import type { Html } from '../../platform/text/html.ts';
import type { Looked } from '../../sign-in/accesses.ts';
import type { Accounts } from '../core/accounts.ts';
import type { AssetName } from '../core/pages/assets.ts';
import type { TextKey } from '../core/texts.ts';
import type { ConsoleSession, Role } from './store.ts';
import type { Words } from './words.ts';

/** A request for a page by a signed-in user. */
export interface Visit {
  readonly call: HttpRequest;
  readonly session: ConsoleSession;
  readonly words: Words;
  readonly accounts: Accounts;
}

/** The content of a page inside the console's frame. */
export interface Shown {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  readonly scripts?: readonly AssetName[];
}

export interface ConsolePage {
  readonly method: 'GET' | 'POST';
  /** Below `/console`, with parameters as in routes. */
  readonly path: string;
  /** The minimum role that may access it. */
  readonly role: Role;
  /**
   * Whose data it shows, or what it does: recorded before it is shown or done. Left out: nothing is recorded. The
   * action is named in the locale files as `console.did.<action>`.
   */
  readonly looked?: (visit: Visit) => Looked;
  /** The page, or another answer such as a redirect to another page. */
  answer(visit: Visit): Promise<Answer | Shown> | Answer | Shown;
}

/** A section, which is also its first page: a `GET` of its own path. Its path is empty for the console's first page. */
export interface ConsoleSection extends Omit<ConsolePage, 'method'> {
  readonly title: TextKey;
  /** Its icon: the `d` of a path in a view box of 24 by 24. */
  readonly icon: string;
  /** Its other pages. */
  readonly others?: readonly ConsolePage[];
}

/** All pages of a section. */
export const pagesOf = (section: ConsoleSection): readonly ConsolePage[] => [{ ...section, method: 'GET' }, ...(section.others ?? [])];

/** Redirects to another page of the console after an action. */
export const onward = (path: string): Answer => ({ status: 303, headers: { Location: `/console${path}` } });
