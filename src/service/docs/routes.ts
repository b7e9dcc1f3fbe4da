// The documents of the interface as a part of the service: `/openapi.json`, `/asyncapi.json`, and `/docs`.

import type { HttpRequest } from '../../platform/http/http-server.ts';
import { makeCached } from '../../platform/pages/assets.ts';
import type { Core } from '../core/core.ts';
import { socketPath } from '../core/websocket/sockets.ts';
import { makeAsyncApi } from './asyncapi.ts';
import { makeOpenApi } from './openapi.ts';
import { docsPage, docsPolicy } from './page.ts';

/** The version of the interface. It changes if clients that follow the documents would have to change. */
const version = '1.0.0';

/** Cached briefly, then revalidated: a new version of the service may have changed the documents. */
const held = (type: string, content: string, headers = {}) =>
  makeCached(Buffer.from(content), { 'Content-Type': type, 'Cache-Control': 'public, max-age=60, must-revalidate', ...headers });

/** The documents by their paths. */
const makeDocuments = (core: Core) => {
  const { publicUrl, operations } = core;
  const url = publicUrl().origin;
  const openApi = makeOpenApi(operations, version, url);
  const asyncApi = makeAsyncApi(version, url);
  const socketUrl = new URL(socketPath, url.replace(/^http/, 'ws')).href;
  const page = docsPage(core, openApi, asyncApi, socketUrl);
  return {
    '/openapi.json': held('application/json', JSON.stringify(openApi)),
    '/asyncapi.json': held('application/json', JSON.stringify(asyncApi)),
    '/docs': held('text/html; charset=utf-8', `<!doctype html>${page.markup}`, {
      'Content-Security-Policy': docsPolicy,
      'X-Frame-Options': 'DENY',
    }),
  };
};

export const addDocs = (core: Core): void => {
  // Made on the first request, when the service's address is known.
  let documents: ReturnType<typeof makeDocuments> | undefined;
  for (const path of ['/openapi.json', '/asyncapi.json', '/docs'] as const) {
    const answer = (request: HttpRequest) => {
      documents ??= makeDocuments(core);
      return documents[path].answer(request);
    };
    core.server.route('GET', path, answer, { body: 'none' });
  }
  // The address printed at start leads to the documents.
  core.server.route('GET', '/', () => ({ status: 303, headers: { Location: '/docs' } }), { body: 'none' });
};
