// Signing in with a link that works once, on this machine: for demo mode, where users have no names.

import { sameBytes, sha256 } from '../../platform/secrets/sealing.ts';
import type { Sessions } from '../../platform/sign-in/sessions.ts';
import { html } from '../../platform/text/html.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fieldsOf, formLimits } from '../core/device/posts.ts';
import type { Random } from '../core/secrets/random.ts';
import type { Texts } from '../core/texts.ts';
import { refuseStrangers } from '../core/this-machine.ts';
import type { Frame } from './frame.ts';
import type { RecordConsoleAccess, SignInMethod } from './sign-in-method.ts';
import type { Role } from './store.ts';

/** The name of the link's holder in the access log: nothing more is known about them. */
const person = 'sign-in link';

export interface LinkSignInOptions {
  readonly sessions: Sessions<Role>;
  readonly frame: Frame;
  readonly record: RecordConsoleAccess;
  readonly random: Random;
  readonly clock: Clock;
}

export const makeLinkSignIn = ({ sessions, frame, record, random, clock }: LinkSignInOptions): SignInMethod => {
  const token = random.token();
  let unused = true;
  const isIt = (given: string | undefined) => unused && sameBytes(sha256(given ?? ''), sha256(token));

  const used = (texts: Texts) => frame.bare(410, 'console.used.title', 'console.used.text', texts);
  const form = ({ t }: Texts) =>
    html`<form method="post" data-device><input type="hidden" name="zone" value="" data-zone>
      <div class="actions"><button class="primary" name="role" value="operator">${t('console.enter.operator')}</button><button name="role" value="viewer">${t('console.enter.viewer')}</button></div></form>`;

  return {
    path: `/console/sign-in/${token}`,
    // The link's holder can be anybody who can read what the service prints.
    admit: refuseStrangers,
    outside: (_call, texts) => frame.bare(401, 'console.out.title', 'console.out.text', texts),
    confirm: async (session) => session,
    forbidden: () => 'console.forbidden.text',
    farewell: () => ({ status: 303, headers: { Location: '/console' } }),
    routes: [
      {
        method: 'GET',
        path: '/sign-in/:token',
        // Viewing the page does not use up the link.
        answer: ({ params }, texts) =>
          isIt(params.token) ? frame.bare(200, 'console.enter.title', 'console.enter.text', texts, form(texts)) : used(texts),
      },
      {
        method: 'POST',
        path: '/sign-in/:token',
        limits: formLimits,
        answer: async (call, texts) => {
          if (!isIt(call.params.token)) return used(texts);
          // Before any `await`: of two concurrent posts, one succeeds.
          unused = false;
          const { role: wanted, zone = '' } = fieldsOf(call.body);
          const role: Role = wanted === 'operator' ? 'operator' : 'viewer';
          const { session, cookie } = await sessions.begin(
            { person, subject: person, role, zone, address: call.clientAddress },
            clock.now(),
          );
          await record(session, { action: 'sign-in', subject: '' }, call);
          return { status: 303, headers: { Location: '/console', 'Set-Cookie': cookie } };
        },
      },
    ],
  };
};
