// Signing in by a link that works once, on this machine: for pages without an OpenID provider. Whoever can read the
// program's output may sign in.
import { postedFields } from '../platform/http/http-body.ts';
import { type Answer, type HttpRequest, redirect } from '../platform/http/http-server.ts';
import { isFromThisMachine } from '../platform/outgoing/loopback.ts';
import { sameBytes, sha256 } from '../platform/secrets/sealing.ts';
import type { Session } from './session-store.ts';
import type { SignInMethod, SignInParts } from './sign-in-method.ts';

type Fields = Readonly<Record<string, string>>;

/** Who may sign in with a link, as the room asks for it. */
export interface LinkHolder<Role extends string> {
  /** The page with the form. `printed`: the program's output vouches for them. `wrong`: what they sent before. */
  form(call: HttpRequest, printed: boolean, wrong?: Fields): Answer;
  /** The person whom a form names. `undefined`: the form is shown again. */
  read(fields: Fields, printed: boolean): Pick<Session<Role>, 'email' | 'person' | 'role' | 'subject'> | undefined;
}

/** How long (ms) a link that somebody made for somebody else is valid. The printed link is valid until it is used. */
const invitationMs = 60 * 60_000;

export const makeLinkSignIn = <Role extends string>(
  { place, pages, sessions, record, random, clock }: SignInParts<Role>,
  { form, read }: LinkHolder<Role>,
): SignInMethod<Role> => {
  const links: { readonly digest: Buffer; readonly until: number; readonly printed: boolean }[] = [];
  const newLink = (until: number, printed = false) => {
    const token = random.token();
    links.push({ digest: sha256(token), until, printed });
    return `${place.path}/sign-in/${token}`;
  };
  const find = ({ params: { token = '' } }: HttpRequest) =>
    links.find(({ digest, until }) => sameBytes(sha256(token), digest) && clock.now() < until);
  const used = (call: HttpRequest) => pages.show(call, 410, 'used');

  return {
    path: newLink(Number.POSITIVE_INFINITY, true),
    admits: isFromThisMachine,
    outside: (call) => pages.show(call, 401, 'link-needed'),
    confirm: async (session) => session,
    signedOut: () => redirect(place.path),
    invite: () => newLink(clock.now() + invitationMs),
    close: async () => {},
    routes: [
      {
        method: 'GET',
        path: '/sign-in/:token',
        // Viewing the page does not use up the link.
        answer: (call) => {
          const link = find(call);
          return link ? form(call, link.printed) : used(call);
        },
      },
      {
        method: 'POST',
        path: '/sign-in/:token',
        answer: async (call) => {
          const link = find(call);
          if (!link) return used(call);
          const fields = postedFields(call.body);
          const who = read(fields, link.printed);
          if (!who) return form(call, link.printed, fields);
          // Before any `await`: of two concurrent posts, one succeeds.
          links.splice(links.indexOf(link), 1);
          const { session, cookie } = await sessions.begin({ ...who, zone: fields.zone ?? '', address: call.clientAddress }, clock.now());
          await record(session, { action: 'sign-in', subject: '' }, call);
          return redirect(place.path, { 'Set-Cookie': cookie });
        },
      },
    ],
  };
};
