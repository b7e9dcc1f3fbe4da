// What the desk needs to know about an OpenID provider: a program may say it too.
import type { OpenIdClient } from '../platform/sign-in/openid/settings.ts';

/** How people sign in by their organisation. */
export interface DeskOpenId extends OpenIdClient {
  /** Values of the role claim that make an agent, and a supervisor. */
  readonly agents: readonly string[];
  readonly supervisors: readonly string[];
}
