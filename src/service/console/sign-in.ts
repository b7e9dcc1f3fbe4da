// The console's words for signing in, and who may use a link.
import type { HttpRequest } from '../../platform/http/http-server.ts';
import { html } from '../../platform/text/html.ts';
import type { RecordAccess } from '../../sign-in/accesses.ts';
import type { LinkHolder } from '../../sign-in/link-sign-in.ts';
import type { openSignIn } from '../../sign-in/sign-in.ts';
import type { SignInPages, SignInScreen } from '../../sign-in/sign-in-method.ts';
import type { TextKey, Texts } from '../core/texts.ts';
import type { Frame } from './frame.ts';
import type { Role } from './store.ts';

export type RecordConsoleAccess = RecordAccess<Role>;
export type ConsoleSignIn = ReturnType<typeof openSignIn<Role>>;
type TextsFor = (call: HttpRequest) => Texts;

const screens: Readonly<Record<SignInScreen, readonly [title: TextKey, text: TextKey]>> = {
  'link-needed': ['console.out.title', 'console.out.text'],
  start: ['console.enter.title', 'console.openid.text'],
  used: ['console.used.title', 'console.used.text'],
  onward: ['console.onward.title', 'console.onward.text'],
  arrived: ['console.arrived.title', 'console.onward.text'],
  left: ['console.left.title', 'console.onward.text'],
  declined: ['console.declined.title', 'console.declined.text'],
  doubtful: ['console.doubtful.title', 'console.doubtful.text'],
  unavailable: ['console.unavailable.title', 'console.unavailable.text'],
  'no-role': ['console.noRole.title', 'console.noRole.text'],
  'too-many': ['console.tooMany.title', 'console.tooMany.text'],
};

const labels = {
  again: 'console.again',
  onward: 'console.onward.go',
  other: 'console.other',
  'sign-in': 'console.enter.operator',
} as const satisfies Record<string, TextKey>;

export const signInPages = (frame: Frame, textsFor: TextsFor): SignInPages => ({
  show: (call, status, screen, { body, head, headers } = {}) => {
    const answer = frame.bare(status, ...screens[screen], textsFor(call), body, head);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  },
  label: (call, button) => textsFor(call).t(labels[button]),
});

/** The name of the link's holder in the access log: nothing more is known about them. */
const person = 'sign-in link';

/** Whoever uses a link chooses a role. */
export const linkHolder = (frame: Frame, textsFor: TextsFor): LinkHolder<Role> => ({
  form: (call) => {
    const texts = textsFor(call);
    const form = html`<form method="post" data-device><input type="hidden" name="zone" value="" data-zone>
      <div class="actions"><button class="primary" name="role" value="operator">${texts.t('console.enter.operator')}</button><button name="role" value="viewer">${texts.t('console.enter.viewer')}</button></div></form>`;
    return frame.bare(200, 'console.enter.title', 'console.enter.text', texts, form);
  },
  read: ({ role }) => ({ person, subject: person, role: role === 'operator' ? 'operator' : 'viewer' }),
});
