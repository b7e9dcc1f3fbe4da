// What a section of the console is: a value in a file of its own. `sections.ts` lists them in the order shown.
import type { Html } from '../../platform/html.ts';
import type { Answer, HttpRequest } from '../../platform/http-server.ts';
import type { Looked } from '../../platform/sign-in/accesses.ts';
import type { Accounts } from '../core/catalogue/accounts.ts';
import type { AssetName } from '../core/pages/assets.ts';
import type { ConsoleSession, Role } from '../core/store/console.ts';
import type { TextKey } from '../core/texts.ts';
import type { Words } from './words.ts';

/** Somebody who is signed in asks for a page. */
export interface Visit {
  readonly call: HttpRequest;
  readonly session: ConsoleSession;
  readonly words: Words;
  readonly accounts: Accounts;
}

/** What a page shows inside the console's frame. */
export interface Shown {
  readonly status?: number;
  readonly title: string;
  readonly body: Html;
  readonly scripts?: readonly AssetName[];
}

export interface ConsolePage {
  readonly method: 'GET' | 'POST';
  /** Below `/console`, with parameters as routes have them. */
  readonly path: string;
  /** Who may have it at least. */
  readonly role: Role;
  /**
   * Whose data it shows, or what it does: recorded before it is shown or done. Left out: nobody's, nothing. The action
   * is named in the locale files as `console.did.<action>`.
   */
  readonly looked?: (visit: Visit) => Looked;
  /** The page, or another answer such as a way to another page. */
  answer(visit: Visit): Promise<Answer | Shown> | Answer | Shown;
}

export interface ConsoleSection {
  /** Below `/console`; empty for the page that it begins with. */
  readonly path: string;
  readonly title: TextKey;
  /** What its icon draws: the `d` of a path on a field of 24 by 24. */
  readonly icon: string;
  readonly pages: readonly ConsolePage[];
}

/** Leads on to another page of the console after something was done. */
export const onward = (path: string): Answer => ({ status: 303, headers: { Location: `/console${path}` } });
