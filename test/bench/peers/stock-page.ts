// Web Chat's own bundle on a page of its own: what its documentation has one begin with.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { DirectLine } from '../../../src/directline/index.ts';
import type { HttpServer } from '../../../src/platform/http/http-server.ts';
import { addAssets } from '../../../src/platform/pages/assets.ts';
import { Html } from '../../../src/platform/text/html.ts';

const bundle = new URL('../dist/webchat.js', pathToFileURL(createRequire(import.meta.url).resolve('botframework-webchat')));

/** Adds `GET /stock`, which talks over the same Direct Line. */
export const addStockPage = async (server: HttpServer, directLine: Pick<DirectLine, 'issueToken'>): Promise<void> => {
  const file = { name: 'stock.js', file: bundle, type: 'text/javascript; charset=utf-8' } as const;
  const { 'stock.js': script } = await addAssets(server, [file]);
  server.route('GET', '/stock-token', async () => ({ status: 200, body: await directLine.issueToken() }), { body: 'none' });
  const page = new Html(`<html lang="en"><head><meta charset="utf-8"><title>Web Chat</title>
<meta name="viewport" content="width=device-width"><style>html, body, #webchat { height: 100%; margin: 0 }</style>
<script src="${script}"></script></head><body><div id="webchat"></div><script>
fetch('/stock-token').then((answer) => answer.json()).then(({ token }) => {
  const directLine = WebChat.createDirectLine({ token, domain: location.origin + '/v3/directline' });
  WebChat.renderWebChat({ directLine }, document.getElementById('webchat'));
});
</script></body></html>`);
  const headers = { 'Content-Security-Policy': "default-src * 'unsafe-inline' data: blob:" };
  server.route('GET', '/stock', () => ({ status: 200, headers, body: page }), { body: 'none' });
};
