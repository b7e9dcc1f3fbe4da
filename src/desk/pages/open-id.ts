// What the desk needs to know about an OpenID provider; a program can pass it too.
import type { OpenIdClient } from '../../platform/sign-in/openid/settings.ts';

/** Sign-in through the operator's OpenID provider. */
export interface DeskOpenId extends OpenIdClient {
  /** Values of the role claim that make somebody an agent or a supervisor. */
  readonly agents: readonly string[];
  readonly supervisors: readonly string[];
}
