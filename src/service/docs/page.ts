// The interface as a page: what newcomers should know first, then its documents as Swagger UI shows them.
import { sharedStyles } from '../../platform/pages/assets.ts';
import { contentSecurityPolicy, noIcon, pageDocument } from '../../platform/pages/page.ts';
import { type Html, html } from '../../platform/text/html.ts';
import type { ServiceContext } from '../core/context.ts';
import type { AsyncApi } from './asyncapi.ts';
import { events } from './events.ts';
import { authentication, codes, introduction, rules, type Section, testNumberSection } from './guide.ts';
import type { OpenApi } from './openapi.ts';

/** Allows this server's own files only; without a nonce, so that browsers can cache the page. */
export const docsPolicy = contentSecurityPolicy("'self'", { connect: [] });

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
  return pageDocument({
    language: 'en',
    title,
    icon: noIcon,
    listed: true,
    styles: ([...sharedStyles, 'service.css', 'swagger-ui.css', 'docs.css'] as const).map((name) => assets[name]),
    head: html`<script src="${assets['swagger-ui.js']}" defer></script>`,
    scripts: [assets['docs.js']],
    body: html`<body class="docs">
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
  </body>`,
  });
};
