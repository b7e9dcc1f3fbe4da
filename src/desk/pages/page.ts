// The desk's pages: the document that the scripts run in, and the small pages around signing in.
import type { Answer, HttpRequest } from '../../platform/http/http-server.ts';
import { sharedStyles } from '../../platform/pages/assets.ts';
import type { Look } from '../../platform/pages/look.ts';
import { answerPage, type PageAnswer, socketsOf } from '../../platform/pages/page.ts';
import type { SignInPages } from '../../platform/sign-in/sign-in-method.ts';
import { html } from '../../platform/text/html.ts';
import { type Language, negotiateLanguage } from '../../platform/text/languages.ts';
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

const ownName = 'Countersign';

export type Pages = ReturnType<typeof makePages>;

export const makePages = (assets: Readonly<Record<string, string>>, look: Look, publicUrl: string | undefined) => {
  const imports = Object.fromEntries([...conversationModules, ...modules].map((name) => [name, assets[fileOf(name)] as string]));
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;

  const answer = (
    { headers: asked }: Pick<HttpRequest, 'headers'>,
    status: number,
    partsIn: (language: Language) => Pick<PageAnswer, 'body' | 'head' | 'scripts'> & { readonly title?: string },
    headers: Readonly<Record<string, string>> = {},
    framedBy?: string,
  ): Answer => {
    const language = negotiateLanguage(asked['accept-language']);
    const parts = partsIn(language);
    return answerPage({
      status,
      language,
      title: `${deskTexts[language].title} · ${look.name ?? ownName}`,
      allowed: { connect: [asked.host, publicHost].flatMap(socketsOf), forms: true, framedBy },
      headers: { 'Cross-Origin-Opener-Policy': 'same-origin', ...headers },
      styles: [...sharedStyles, ...styles].map((name) => assets[name] as string),
      style: look.style,
      ...(parts.scripts && { imports }),
      ...parts,
    });
  };

  const script = (entry: (typeof entries)[number]) => ({ scripts: [assets[entry] as string] });

  return {
    textsFor: ({ headers }: Pick<HttpRequest, 'headers'>): DeskTexts => deskTexts[negotiateLanguage(headers['accept-language'])],

    /**
     * The panel beside a platform's conversation, which only that platform may frame.
     * @param by - the origin of the platform
     */
    framed: (call: HttpRequest, by: string, path: string, signedIn: boolean) =>
      answer(
        call,
        signedIn ? 200 : 401,
        (language) => ({
          ...script(signedIn ? 'desk-panel-page.js' : 'desk-door.js'),
          body: html`<body class="framed" data-texts="${JSON.stringify(deskTexts[language])}" data-name="${look.name ?? ownName}" data-frame="${by}" data-page="${path}" data-socket="${path}/socket"><div id="desk"></div></body>`,
        }),
        {},
        by,
      ),

    /** Hands a code to the frame that opened this window, and closes the window. */
    handing: (call: HttpRequest, code: string, headers: Readonly<Record<string, string>>) =>
      answer(
        call,
        200,
        (language) => ({
          ...script('desk-enter.js'),
          body: html`<body class="bare" data-code="${code}"><main class="card"><h1>${deskTexts[language].onwardTitle}</h1></main></body>`,
        }),
        headers,
      ),

    desk: (call: HttpRequest) =>
      answer(call, 200, (language) => ({
        ...script('desk.js'),
        body: html`<body data-texts="${JSON.stringify(deskTexts[language])}" data-canned="${JSON.stringify(cannedAnswers)}" data-name="${look.name ?? ownName}">
<div id="desk"><p class="notice" role="status">${deskTexts[language].connecting}</p></div>
<noscript><p class="notice">${deskTexts[language].unsupported}</p></noscript>
</body>`,
      })),

    /** A page with a heading, a sentence, and a link or button. */
    bare: (
      call: Pick<HttpRequest, 'headers'>,
      status: number,
      { text, title }: { readonly title: keyof DeskTexts; readonly text: keyof DeskTexts },
      { body, head, headers }: Parameters<SignInPages['show']>[3] = {},
    ) =>
      answer(
        call,
        status,
        (language) => ({
          title: deskTexts[language][title],
          head,
          body: html`<body class="bare"><main class="card"><p class="brand">${look.name ?? ownName}</p><h1>${deskTexts[language][title]}</h1><p>${deskTexts[language][text]}</p>${body}</main></body>`,
        }),
        headers,
      ),
  };
};
