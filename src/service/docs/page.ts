// The interface as a readable page, rendered from its documents. It has no script, so its policy allows none.
import { type Html, html } from '../../platform/html.ts';
import type { OperationDescription } from '../core/api/operations.ts';
import type { Assets } from '../core/pages/assets.ts';
import type { AsyncApi } from './asyncapi.ts';
import { events } from './events.ts';
import { authentication, codes, overview, rules, type Section, testNumberSection } from './guide.ts';
import type { OpenApi } from './openapi.ts';
import { anchorOf, badge, type ListedOperation, listedUnder, operationSection } from './operations.ts';
import { prose } from './prose.ts';

/** Allows only our own style sheets; without a nonce, so that browsers can cache the page. */
export const docsPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface DocsPageOptions {
  readonly openApi: OpenApi;
  readonly asyncApi: AsyncApi;
  readonly socketUrl: string;
  readonly demo: boolean;
  readonly assets: Assets;
}

const titles = {
  passkeys: 'Passkeys',
  'one-time-passcode': 'One-time passcode',
  'document-signature': 'Document signature',
  payments: 'Payments',
  'e-form': 'E-form',
  results: 'Results',
  requests: 'Requests',
  webhooks: 'Webhooks',
} satisfies Record<OperationDescription['group'], string>;

interface Group extends Section {
  readonly operations: readonly ListedOperation[];
}

export const docsPage = ({ openApi, asyncApi, socketUrl, demo, assets }: DocsPageOptions): Html => {
  const plain = (section: Section): Group => ({ ...section, operations: [] });
  const groups = openApi.tags.map(({ name, description }): Group => {
    const operations = listedUnder(name, openApi);
    const body = html`<p>${prose(description)}</p>${operations.map((one) => operationSection(one, openApi))}`;
    return { id: `group-${name}`, title: titles[name], body, operations };
  });
  const parts = [
    ...[overview, authentication(openApi), rules(openApi)].map(plain),
    ...groups,
    ...[events(asyncApi, socketUrl), ...(demo ? [testNumberSection] : []), codes].map(plain),
  ];
  const { title, version } = openApi.info;
  return html`<html lang="en"><head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${assets['service.css']}">
    <link rel="stylesheet" href="${assets['docs.css']}">
  </head><body class="docs">
    <a class="skip" href="#content">Skip to the content</a>
    <header class="masthead">
      <p class="product"><span class="mark" aria-hidden="true">C</span>Countersign</p>
      <h1>Verification and interaction API</h1>
      <p class="lead">Ask customers to confirm who they are, sign, pay or fill in a form on their own device, and get the outcome.</p>
      <dl class="facts">
        <div><dt>Address</dt><dd><code>${openApi.servers[0]?.url}</code></dd></div>
        <div><dt>Version</dt><dd><code>${version}</code></dd></div>
        <div><dt>For programs</dt><dd><a href="/openapi.json">OpenAPI ${openApi.openapi}</a> <a href="/asyncapi.json">AsyncAPI ${asyncApi.asyncapi}</a></dd></div>
      </dl>
    </header>
    <details class="contents small"><summary>Contents</summary>${contents(parts)}</details>
    <div class="columns">
      <aside class="contents large">${contents(parts)}</aside>
      <main id="content">${parts.map(({ id, title: heading, body }) => html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>${body}</section>`)}</main>
    </div>
  </body></html>`;
};

const contents = (groups: readonly Group[]): Html =>
  html`<nav aria-label="Contents"><ul>${groups.map(
    ({ id, title, operations }) =>
      html`<li><a href="#${id}">${title}</a>${
        operations.length > 0 &&
        html`<ul>${operations.map(({ method, operation }) => html`<li><a href="#${anchorOf(operation)}">${badge(method)}<span>${operation.summary}</span></a></li>`)}</ul>`
      }</li>`,
  )}</ul></nav>`;
