// Every page of the service: the style sheet that all have, and the account's look.
import type { Answer } from '../../../platform/http/http-server.ts';
import { sharedStyles } from '../../../platform/pages/assets.ts';
import type { Look } from '../../../platform/pages/look.ts';
import { answerPage, noIcon, type PageAnswer } from '../../../platform/pages/page.ts';
import { html } from '../../../platform/text/html.ts';
import type { AssetName, Assets } from './assets.ts';

type Page = Pick<PageAnswer, 'body' | 'head' | 'language' | 'status' | 'title'> & {
  readonly assets: Assets;
  /** The account's look. Unset: the service's colours. */
  readonly look?: Look | undefined;
  /** Style sheets besides the one that every page has. */
  readonly styles?: readonly AssetName[];
  /** Loaded as modules, in this order. */
  readonly scripts?: readonly AssetName[];
  /** A class of the body by which the stylesheet distinguishes pages. */
  readonly kind: string;
};

/** A page as an answer. */
export const page = ({ assets, look, styles = [], scripts = [], kind, body, ...rest }: Page): Answer =>
  answerPage({
    ...rest,
    icon: noIcon,
    allowed: { connect: [], forms: true },
    styles: [...sharedStyles, 'service.css' as const, ...styles].map((name) => assets[name]),
    style: look?.style,
    scripts: scripts.map((name) => assets[name]),
    body: html`<body class="${kind}">${body}</body>`,
  });
