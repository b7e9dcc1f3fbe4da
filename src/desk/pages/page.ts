// The desk's pages: the document that the scripts run in, and the small pages around signing in.
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import { sharedStyles } from '../../platform/pages/assets.ts';
import type { Look } from '../../platform/pages/look.ts';
import { answerPage, type PageAnswer, socketsOf } from '../../platform/pages/page.ts';
import { html } from '../../platform/text/html.ts';
import { type Language, negotiateLanguage } from '../../platform/text/languages.ts';
import type { SignInPages } from '../../sign-in/sign-in-method.ts';
import { cannedAnswers, type DeskTexts, deskTexts } from './texts.ts';

/** The page's own modules and the libraries, by the names under which they are imported. */
export const modules = [
  'chart',
  'desk-app',
  'desk-framed',
  'desk-kept',
  'desk-order',
  'desk-overview',
  'desk-panel',
  'desk-parts',
  'desk-queue',
  'desk-socket',
  'desk-start',
  'desk-state',
  'desk-words',
  'htm',
  'preact',
  'preact/hooks',
] as const;
/** Those of the conversation, in a folder of their own. */
export const conversationModules = ['desk-acts', 'desk-composer', 'desk-conversation', 'desk-dialogs', 'desk-heard', 'desk-said'] as const;
/** The modules in which a page's scripts start. */
export const entries = ['desk.js', 'desk-panel-page.js', 'desk-door.js', 'desk-enter.js'] as const;
type Module = (typeof conversationModules | typeof modules)[number];

/** In cascade order: later ones may override earlier ones. */
export const styles = [
  'desk.css',
  'desk-queue.css',
  'desk-talk.css',
  'desk-composer.css',
  'desk-sizes.css',
  'desk-controls.css',
  'desk-panel.css',
  'desk-dialogs.css',
  'desk-overview.css',
  'desk-bare.css',
] as const;

/** The file of a module. */
export const fileOf = <Name extends Module>(name: Name) => `${name.replace('/', '-')}.js`;

export type Pages = ReturnType<typeof makePages>;

export const makePages = (assets: Readonly<Record<string, string>>, look: Look, publicUrl: string | undefined) => {
  const imports = Object.fromEntries([...conversationModules, ...modules].map((name) => [name, assets[fileOf(name)] as string]));
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;

  const name = look.name ?? 'Countersign';
  const languageFor = ({ headers }: Pick<HttpRequest, 'headers'>): Language => negotiateLanguage(headers['accept-language']);
  const textsFor = (call: Pick<HttpRequest, 'headers'>): DeskTexts => deskTexts[languageFor(call)];

  const answer = (
    call: Pick<HttpRequest, 'headers'>,
    status: number,
    parts: Pick<PageAnswer, 'body' | 'head' | 'scripts'> & { readonly title?: string },
    headers: Readonly<Record<string, string>> = {},
    framedBy?: string,
  ): Answer =>
    answerPage({
      status,
      language: languageFor(call),
      title: `${textsFor(call).title} · ${name}`,
      allowed: { connect: [call.headers.host, publicHost].flatMap(socketsOf), forms: true, framedBy },
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin', ...headers },
      styles: [...sharedStyles, ...styles].map((file) => assets[file] as string),
      style: look.style,
      ...(parts.scripts && { imports }),
      ...parts,
    });

  const script = (entry: (typeof entries)[number]) => ({ scripts: [assets[entry] as string] });
  const data = (call: HttpRequest) => html`data-texts="${JSON.stringify(textsFor(call))}" data-name="${name}"`;

  return {
    textsFor,

    /**
     * The panel beside a platform's conversation, which only that platform may frame.
     * @param by - the origin of the platform
     */
    framed: (call: HttpRequest, by: string, path: string, signedIn: boolean) => {
      const body = html`<body class="framed" ${data(call)} data-frame="${by}" data-page="${path}" data-socket="${path}/socket"><div id="desk"></div></body>`;
      return answer(call, signedIn ? 200 : 401, { ...script(signedIn ? 'desk-panel-page.js' : 'desk-door.js'), body }, {}, by);
    },

    /** Hands a code to the frame that opened this window, and closes the window. */
    handing: (call: HttpRequest, code: string, headers: Readonly<Record<string, string>>) => {
      const body = html`<body class="bare" data-code="${code}"><main class="card"><h1>${textsFor(call).onwardTitle}</h1></main></body>`;
      return answer(call, 200, { ...script('desk-enter.js'), body }, headers);
    },

    desk: (call: HttpRequest) => {
      const { connecting, unsupported } = textsFor(call);
      const body = html`<body ${data(call)} data-canned="${JSON.stringify(cannedAnswers)}">
<div id="desk"><p class="notice" role="status">${connecting}</p></div>
<noscript><p class="notice">${unsupported}</p></noscript>
</body>`;
      return answer(call, 200, { ...script('desk.js'), body });
    },

    /** A page with a heading, a sentence, and a link or button. */
    bare: (
      call: Pick<HttpRequest, 'headers'>,
      status: number,
      screen: { readonly title: keyof DeskTexts; readonly text: keyof DeskTexts },
      { body: more, head, headers }: Parameters<SignInPages['show']>[3] = {},
    ) => {
      const { [screen.text]: text, [screen.title]: title } = textsFor(call);
      const body = html`<body class="bare"><main class="card"><p class="brand">${name}</p><h1>${title}</h1><p>${text}</p>${more}</main></body>`;
      return answer(call, status, { title, head, body }, headers);
    },
  };
};
