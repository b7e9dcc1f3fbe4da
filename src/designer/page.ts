// The page: the diagram, the chat in a frame, and the controls. Nothing runs on it but its own script.
import { randomBytes } from 'node:crypto';
import type { Answer } from '../platform/http/http-server.ts';
import { type Html, html } from '../platform/text/html.ts';
import type { Parts } from './view.ts';

export interface PageAssets {
  readonly 'colours.css': string;
  readonly 'designer.css': string;
  readonly 'designer.js': string;
}

const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const icon =
  'data:image/svg+xml,' +
  encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b5d57" d="M16 2.5 27 6.4v8.9c0 6.9-4.6 11.7-11 14.2C9.6 27 5 22.2 5 15.3V6.4Z"/><path fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" d="m10 16.3 4.3 4.2L22.5 11"/></svg>',
  );

/** @param chatPath - the path at which the chat page can be framed */
export const designerPage = (parts: Parts, assets: PageAssets, chatPath: string): Answer => {
  const nonce = randomBytes(16).toString('base64');
  return {
    status: 200,
    headers: { 'Content-Security-Policy': contentSecurityPolicy(nonce) },
    body: html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Designer · Countersign</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${assets['colours.css']}" nonce="${nonce}">
<link rel="stylesheet" href="${assets['designer.css']}" nonce="${nonce}">
<script src="${assets['designer.js']}" nonce="${nonce}" type="module"></script>
</head>
<body>
<header>
<h1>Designer</h1>
<label class="flow"><span>Flow</span> ${parts.names}</label>
<p id="connection" role="status" hidden>The bot does not answer. This page continues as soon as it does.</p>
</header>
<main>
<section class="drawing" aria-label="The flow">${parts.diagram}</section>
<section class="controls" aria-label="What happens next">${parts.endings}${parts.clock}</section>
<div class="reports">${parts.problems}${parts.funnel}</div>
</main>
<aside aria-label="The chat"><iframe title="The chat" src="${chatPath}"></iframe></aside>
</body>
</html>`,
  };
};

/** Only the parts, for the page's script. */
export const partsAlone = ({ names, diagram, endings, clock, problems, funnel }: Parts, run: string): Html =>
  html`<html lang="en"><head><title>Designer</title></head><body data-run="${run}">${names}${diagram}${endings}${clock}${problems}${funnel}</body></html>`;
