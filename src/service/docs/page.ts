// The interface as a page: what newcomers should know first, then its documents as Swagger UI shows them.

import { type Html, html } from '../../platform/text/html.ts';
import type { ServiceContext } from '../core/context.ts';
import type { AsyncApi } from './asyncapi.ts';
import { events } from './events.ts';
import { authentication, codes, introduction, rules, type Section, testNumberSection } from './guide.ts';
import type { OpenApi } from './openapi.ts';

/** Allows this server's own files only; without a nonce, so that browsers can cache the page. */
export const docsPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const operations: Section = {
  id: 'operations',
  title: 'Operations',
  body: html`<p>Open an operation to see its fields, an example, and its refusals.</p>
    <div id="reference"><p>They are described in <a href="/openapi.json">openapi.json</a>.</p></div>`,
};

export const docsPage = ({ demo, assets }: ServiceContext, openApi: OpenApi, asyncApi: AsyncApi, socketUrl: string): Html => {
  const sections = [
    ...[introduction, authentication(openApi), rules(openApi), operations, events(asyncApi, socketUrl)],
    ...(demo ? [testNumberSection] : []),
    codes,
  ];
  const { title, version } = openApi.info;
  return html`<html lang="en"><head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    ${(['service.css', 'swagger-ui.css', 'docs.css'] as const).map((name) => html`<link rel="stylesheet" href="${assets[name]}">`)}
    <script src="${assets['swagger-ui.js']}" defer></script>
    <script src="${assets['docs.js']}" type="module"></script>
  </head><body class="docs">
    <a class="skip" href="#content">Skip to the content</a>
    <header>
      <p class="product"><span class="mark" aria-hidden="true">C</span>Countersign</p>
      <h1>Verification and interaction API</h1>
      <p>Ask customers to confirm who they are, sign, pay or fill in a form on their own device, and get the outcome.</p>
      <dl class="facts">
        <div><dt>Address</dt><dd><code>${openApi.servers[0]?.url}</code></dd></div>
        <div><dt>Version</dt><dd><code>${version}</code></dd></div>
        <div><dt>For programs</dt><dd><a href="/openapi.json">OpenAPI ${openApi.openapi}</a> <a href="/asyncapi.json">AsyncAPI ${asyncApi.asyncapi}</a></dd></div>
      </dl>
    </header>
    <nav aria-label="Contents"><ul>${sections.map(({ id, title: heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ul></nav>
    <main id="content">${sections.map(({ id, title: heading, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${body}</section>`)}</main>
  </body></html>`;
};
