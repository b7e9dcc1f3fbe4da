// The frame of every page: a stylesheet, the scripts named, and a policy under which nothing else can load or run.
import { randomBytes } from 'node:crypto';
import type { Answer } from '../../../platform/http/http-server.ts';
import type { Look } from '../../../platform/pages/look.ts';
import { inLanguage } from '../../../platform/text/direction.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { AssetName, Assets } from './assets.ts';

export interface PageOptions {
  readonly status?: number;
  readonly language: string;
  readonly title: string;
  readonly assets: Assets;
  /** The account's look. Unset: the service's colours. */
  readonly look?: Look | undefined;
  /** Style sheets besides the one that every page has. */
  readonly styles?: readonly AssetName[];
  /** Loaded as modules, in this order. */
  readonly scripts?: readonly AssetName[];
  /** A class of the body by which the stylesheet distinguishes pages. */
  readonly kind: string;
  /** Further elements of the head. */
  readonly head?: Html | undefined;
  readonly body: Html;
}

/** A page as an answer. */
export const page = ({ status = 200, language, title, assets, look, styles = [], scripts = [], kind, head, body }: PageOptions): Answer => {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status,
    headers: { 'Content-Security-Policy': policy.join('; '), 'X-Frame-Options': 'DENY', Vary: 'Accept-Language' },
    body: html`<html ${inLanguage(language)}><head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>${title}</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="${assets['service.css']}" nonce="${nonce}">
      ${styles.map((name) => html`<link rel="stylesheet" href="${assets[name]}" nonce="${nonce}">`)}
      ${look?.style && html`<style nonce="${nonce}">${look.style}</style>`}
      ${scripts.map((name) => html`<script type="module" src="${assets[name]}" nonce="${nonce}"></script>`)}
      ${head}
    </head><body class="${kind}">${body}</body></html>`,
  };
};
