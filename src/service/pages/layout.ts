// The frame of every page: one stylesheet, one script at most, and a policy under which nothing else can load or run.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Html, html } from '../../platform/html.ts';
import type { Answer } from '../../platform/http-server.ts';

const assetNames = ['service.css', 'device.js', 'outbox.js'] as const;
type AssetName = (typeof assetNames)[number];

/** The files that pages load, read once. Addresses change with the content, so a browser may keep them. */
export interface Assets {
  address(name: AssetName): string;
  /** The file under an address's last part, `undefined` for any other. */
  answer(name: string): Answer | undefined;
}

export const readAssets = (): Assets => {
  const files = new Map<string, Answer>();
  const addresses = new Map<AssetName, string>();
  for (const name of assetNames) {
    const content = readFileSync(new URL(`../assets/${name}`, import.meta.url));
    const version = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' };
    files.set(`${version}-${name}`, { status: 200, headers, body: content });
    addresses.set(name, `/assets/${version}-${name}`);
  }
  return { address: (name) => addresses.get(name) ?? '', answer: (name) => files.get(name) };
};

export interface PageOptions {
  readonly status?: number;
  readonly language: string;
  readonly title: string;
  readonly assets: Assets;
  readonly script?: AssetName;
  /** A class of the body, by which the stylesheet tells pages apart. */
  readonly kind: string;
  readonly body: Html;
}

/** A page as an answer. */
export const page = ({ status = 200, language, title, assets, script, kind, body }: PageOptions): Answer => {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    status,
    headers: { 'Content-Security-Policy': policy.join('; '), 'X-Frame-Options': 'DENY', Vary: 'Accept-Language' },
    body: html`<html lang="${language}"><head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="robots" content="noindex">
      <title>${title}</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="${assets.address('service.css')}" nonce="${nonce}">
      ${script && html`<script type="module" src="${assets.address(script)}" nonce="${nonce}"></script>`}
    </head><body class="${kind}">${body}</body></html>`,
  };
};
