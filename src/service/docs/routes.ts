// The documents' routes. Each document is made on first request, when the service's address is known, and then cached.

import { type Cached, makeCached } from '../../platform/assets.ts';
import type { Html } from '../../platform/html.ts';
import type { HttpServer } from '../../platform/http-server.ts';
import type { OperationDescription, WebhookDescription } from '../core/api/operations.ts';
import type { Assets } from '../core/pages/assets.ts';
import { makeAsyncApi } from './asyncapi.ts';
import { makeOpenApi } from './openapi.ts';
import { docsPage, docsPolicy } from './page.ts';

export interface DocsOptions {
  readonly server: HttpServer;
  /** All operations that are routed for accounts. */
  readonly operations: readonly OperationDescription[];
  /** Every call that the service makes to accounts. */
  readonly webhooks: readonly WebhookDescription[];
  readonly demo: boolean;
  readonly assets: Assets;
  /** The service's public address. */
  readonly publicUrl: () => URL;
  readonly socketPath: string;
}

/** The version of the interface. It changes if clients that follow the documents would have to change. */
const version = '1.0.0';

/** Cached briefly, then revalidated: a new version of the service may have changed the documents. */
const cacheControl = 'public, max-age=60, must-revalidate';

export const addDocs = ({ server, operations, webhooks, demo, assets, publicUrl, socketPath }: DocsOptions) => {
  const made = once(() => {
    const url = publicUrl().origin;
    const openApi = makeOpenApi({ operations, webhooks, version, url });
    const asyncApi = makeAsyncApi({ version, url });
    const socketUrl = new URL(socketPath, url.replace(/^http/, 'ws')).href;
    const held = (type: string, content: string, headers = {}) =>
      makeCached(Buffer.from(content), { 'Content-Type': type, 'Cache-Control': cacheControl, ...headers });
    const page: Html = docsPage({ openApi, asyncApi, socketUrl, demo, assets });
    return {
      '/openapi.json': held('application/json', JSON.stringify(openApi)),
      '/asyncapi.json': held('application/json', JSON.stringify(asyncApi)),
      '/docs': held('text/html; charset=utf-8', `<!doctype html>${page.markup}`, {
        'Content-Security-Policy': docsPolicy,
        'X-Frame-Options': 'DENY',
      }),
    } satisfies Record<string, Cached>;
  });
  for (const path of ['/openapi.json', '/asyncapi.json', '/docs'] as const) {
    server.route('GET', path, (request) => made()[path].answer(request), { body: 'none' });
  }
  // The address printed at start leads to the documents.
  server.route('GET', '/', () => ({ status: 303, headers: { Location: '/docs' } }), { body: 'none' });
};

const once = <Made>(make: () => Made): (() => Made) => {
  let made: { readonly it: Made } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
};
