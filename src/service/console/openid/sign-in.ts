// The console's pages for signing in with an OpenID provider.

import type { Answer, HttpRequest } from '../../../platform/http/http-server.ts';
import { callbackPath, type OpenIdFlow, type Return } from '../../../platform/sign-in/openid/flow.ts';
import { returnPath } from '../../../platform/sign-in/openid/return-path.ts';
import type { Standings } from '../../../platform/sign-in/openid/standing.ts';
import { html } from '../../../platform/text/html.ts';
import { fieldsOf, formLimits } from '../../core/device/posts.ts';
import type { TextKey, Texts } from '../../core/texts.ts';
import type { Frame } from '../frame.ts';
import type { SignInMethod } from '../sign-in-method.ts';
import type { Role } from '../store.ts';

export interface OpenIdSignInOptions {
  readonly flow: OpenIdFlow;
  readonly standings: Standings<Role>;
  readonly frame: Frame;
}

const home = '/console';
const startPath = '/sign-in';

export const makeOpenIdSignIn = ({ flow, standings, frame }: OpenIdSignInOptions): SignInMethod => {
  /** A form, so that only a click on one of our pages begins a sign-in. */
  const begin = ({ t }: Texts, label: TextKey, to: string, anew = false) =>
    html`<form method="post" action="${home}${startPath}" data-device><input type="hidden" name="zone" value="" data-zone><input type="hidden" name="to" value="${to}">
      ${anew && html`<input type="hidden" name="anew" value="yes">`}<div class="actions single"><button class="primary">${t(label)}</button></div></form>`;
  /**
   * Sends the browser on from one of our pages. A redirect fails in two ways: after a form post, the page's policy
   * stops it at the first other site; and on the way back, browsers attribute a redirect to the provider and omit
   * `SameSite=Strict` cookies, so a user who has just signed in would appear signed out. A navigation that starts from
   * this page counts as started by our site.
   */
  const onward = (url: string, title: TextKey, texts: Texts) =>
    frame.bare(
      200,
      title,
      'console.onward.text',
      texts,
      html`<div class="actions single"><a class="button primary" href="${url}">${texts.t('console.onward.go')}</a></div>`,
      html`<meta http-equiv="refresh" content="0;url=${url}">`,
    );
  const again = (status: number, what: 'console.declined' | 'console.doubtful' | 'console.unavailable', texts: Texts, to = home) =>
    frame.bare(status, `${what}.title`, `${what}.text`, texts, begin(texts, 'console.again', to));

  const start = async (call: HttpRequest, texts: Texts): Promise<Answer> => {
    const { zone, to, anew } = fieldsOf(call.body);
    const departure = await flow.depart(call, { to, anew: anew !== undefined, ...(zone !== undefined && { zone }) });
    switch (departure.kind) {
      case 'signed-in':
        return { status: 303, headers: { Location: departure.to } };
      case 'unavailable':
        return again(503, 'console.unavailable', texts, departure.to);
      case 'depart':
        return withHeaders(onward(departure.url, 'console.onward.title', texts), { 'Set-Cookie': departure.cookie });
      case 'too-many':
        return tooMany(departure, texts);
      default:
        return departure satisfies never;
    }
  };

  const callback = async (call: HttpRequest, texts: Texts): Promise<Answer> => {
    const back = await flow.arrive(call);
    switch (back.kind) {
      case 'unknown':
        return again(410, 'console.doubtful', texts);
      case 'declined':
        return again(403, 'console.declined', texts, back.to);
      case 'doubtful':
        return again(403, 'console.doubtful', texts);
      case 'unavailable':
        return again(503, 'console.unavailable', texts, back.to);
      case 'no-role':
        return frame.bare(403, 'console.noRole.title', 'console.noRole.text', texts, begin(texts, 'console.other', back.to, true));
      case 'arrived':
        return withHeaders(onward(back.to, 'console.arrived.title', texts), { 'Set-Cookie': back.cookie });
      case 'too-many':
        return tooMany(back, texts);
      default:
        return back satisfies never;
    }
  };

  /** A page instead of a problem, since people read it. */
  const tooMany = ({ problem }: Extract<Return, { kind: 'too-many' }>, texts: Texts) =>
    withHeaders(frame.bare(problem.status, 'console.tooMany.title', 'console.tooMany.text', texts), problem.headers);

  return {
    path: home,
    admit: () => {},
    outside: ({ method, raw }, texts) =>
      frame.bare(
        401,
        'console.enter.title',
        'console.openid.text',
        texts,
        begin(texts, 'console.enter.operator', method === 'GET' ? returnPath(raw.url, home) : home),
      ),
    confirm: standings.confirm,
    forbidden: ({ standing }) => (standing?.silent ? 'console.openid.silent' : 'console.openid.forbidden'),
    farewell: async (session, texts) => {
      const url = await flow.farewell(session);
      return url ? onward(url.href, 'console.left.title', texts) : { status: 303, headers: { Location: home } };
    },
    routes: [
      { method: 'POST', path: startPath, limits: formLimits, answer: start },
      { method: 'GET', path: callbackPath, answer: callback },
    ],
  };
};

const withHeaders = (answer: Answer, headers: Readonly<Record<string, string>>): Answer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});
