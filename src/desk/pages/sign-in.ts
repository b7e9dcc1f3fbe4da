// The desk's words for signing in, and who may use a link.
import { isSameOrigin } from '../../platform/http/client-address.ts';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Handler } from '../../platform/http/http-server.ts';
import { html } from '../../platform/text/html.ts';
import type { LinkHolder } from '../../sign-in/link-sign-in.ts';
import type { SessionTokens, SignInPlace } from '../../sign-in/sessions.ts';
import type { openSignIn } from '../../sign-in/sign-in.ts';
import type { SignInPages, SignInScreen } from '../../sign-in/sign-in-method.ts';
import type { DeskRole } from '../desk-store.ts';
import type { Pages } from './page.ts';

export const place: SignInPlace = { name: 'desk', path: '/desk' };

export type DeskSignIn = ReturnType<typeof openSignIn<DeskRole>>;

type BareTexts = Parameters<Pages['bare']>[2];

const onward: BareTexts = { title: 'onwardTitle', text: 'onwardText' };
const screens: Readonly<Record<SignInScreen, BareTexts>> = {
  'link-needed': { title: 'outTitle', text: 'outLink' },
  start: { title: 'enterTitle', text: 'outText' },
  used: { title: 'usedTitle', text: 'usedText' },
  onward,
  arrived: onward,
  left: onward,
  declined: { title: 'declinedTitle', text: 'declinedText' },
  doubtful: { title: 'doubtfulTitle', text: 'doubtfulText' },
  unavailable: { title: 'unavailableTitle', text: 'unavailableText' },
  'no-role': { title: 'noRoleTitle', text: 'noRoleText' },
  'too-many': { title: 'tooManyTitle', text: 'tooManyText' },
};

export const signInPages = (pages: Pages): SignInPages => ({
  show: (call, status, screen, more) => pages.bare(call, status, screens[screen], more),
  label: (call, button) => pages.textsFor(call)[button === 'sign-in' ? 'signIn' : button],
});

/** A name as a single line of visible text. */
const asLine = (name: string): string =>
  name
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 80);

/**
 * Whoever uses a link gives a name. Only the program's output vouches for an address: whoever reads it runs the program.
 */
export const linkHolder = (pages: Pages, random: SessionTokens): LinkHolder<DeskRole> => ({
  form: (call, printed, wrong) => {
    const t = pages.textsFor(call);
    const field = (name: 'email' | 'name', type: string, autocomplete: string) =>
      html`<label>${t[name]}<input name="${name}" type="${type}" autocomplete="${autocomplete}" required maxlength="80" value="${wrong?.[name] ?? ''}"${name === 'name' && html` autofocus`}></label>`;
    return pages.bare(
      call,
      wrong ? 422 : 200,
      { title: 'enterTitle', text: `${printed ? 'enter' : 'invited'}${wrong ? 'Wrong' : 'Text'}` },
      {
        body: html`<form method="post">${field('name', 'text', 'name')}${printed && field('email', 'email', 'email')}
<div class="actions"><button class="primary" name="role" value="agent">${t.enterAgent}</button><button name="role" value="supervisor">${t.enterSupervisor}</button></div></form>`,
      },
    );
  },
  read: ({ email = '', name = '', role }, printed) => {
    const [person, address] = [asLine(name), email.trim().toLowerCase()];
    if (person === '' || (printed && !/^[\x21-\x3f\x41-\x7e]{1,200}@[\x21-\x3f\x41-\x7e]{1,100}$/.test(address))) return undefined;
    return {
      person,
      // Whoever uses a link is somebody of their own: a typed address makes nobody somebody else.
      subject: `link:${random.token()}`,
      ...(printed && { email: address }),
      role: role === 'supervisor' ? 'supervisor' : 'agent',
    };
  },
});

/** Answers only those who may reach the sign-in, and only our own pages' posts. @throws {HttpProblem} 403 for others. */
export const admitting =
  ({ admits }: Pick<DeskSignIn, 'admits'>, publicUrl: string | undefined) =>
  (answer: Handler): Handler =>
  (call) => {
    if (!admits(call)) throw new HttpProblem(403, 'forbidden', 'The desk is for the machine that the bot runs on.');
    if (call.method === 'POST' && !isSameOrigin(call, publicUrl))
      throw new HttpProblem(403, 'cross_site', 'This request came from another site.');
    return answer(call);
  };
