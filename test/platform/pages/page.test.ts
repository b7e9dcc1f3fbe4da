import assert from 'node:assert/strict';
import { answerPage, contentSecurityPolicy, pageDocument, socketsOf } from '../../../src/platform/pages/page.ts';
import { html } from '../../../src/platform/text/html.ts';

const parts = {
  language: 'ar',
  title: '</title><script>',
  styles: ['/assets/one.css'],
  style: html`:root{--accent:#0b5d57}`,
  imports: { chat: '/assets/chat.js' },
  scripts: ['/assets/start.js'],
  body: html`<body></body>`,
};

describe('the shell of pages', () => {
  it('refuses everything that a page does not name', () => {
    assert.equal(
      contentSecurityPolicy("'nonce-x'", {}),
      "default-src 'none'; script-src 'nonce-x'; style-src 'nonce-x'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });

  for (const [what, allowed, added] of [
    ['requests to this server', { connect: [] }, "connect-src 'self'"],
    ['requests elsewhere', { connect: ['wss://chat.example.com'] }, "connect-src 'self' wss://chat.example.com"],
    ['forms', { forms: true }, "form-action 'self'"],
    ['frames', { frames: true }, "frame-src 'self'"],
    ['Web Chat', { webChat: true }, 'worker-src blob:'],
    ['a page that frames it', { framedBy: 'https://bank.example.com' }, 'frame-ancestors https://bank.example.com'],
  ] as const)
    it(`allows ${what} where a page names it`, () => {
      assert.ok(contentSecurityPolicy("'self'", allowed).split('; ').includes(added));
      assert.ok(!contentSecurityPolicy("'self'", {}).split('; ').includes(added));
    });

  it('never allows scripts without the nonce, whatever a page names', () => {
    const everything = { connect: ['*'], forms: true, frames: true, webChat: true, framedBy: "'self'" };
    assert.match(contentSecurityPolicy("'nonce-x'", everything), /; script-src 'nonce-x';/);
  });

  it('names the websockets of a host, but no host that is not one', () => {
    assert.deepEqual(socketsOf('chat.example.com:8443'), ['ws://chat.example.com:8443', 'wss://chat.example.com:8443']);
    assert.deepEqual(socketsOf("x; script-src 'unsafe-inline'"), []);
    assert.deepEqual(socketsOf(undefined), []);
  });

  it('gives its own nonce to each answer, and to every style and script in it', () => {
    const [first, second] = [answerPage(parts), answerPage(parts)].map(({ headers, body }) => ({
      policy: String(headers?.['Content-Security-Policy']),
      body: String(body),
    }));
    const nonce = /'nonce-([^']{20,})'/.exec(first?.policy ?? '')?.[1];
    assert.ok(nonce && !second?.policy.includes(nonce));
    const elements = first?.body.match(/<(?:script|style|link rel="stylesheet")[^>]*>/g) ?? [];
    assert.equal(elements.length, 4);
    for (const element of elements) assert.ok(element.includes(`nonce="${nonce}"`), element);
  });

  it('escapes the title, and says the language and its direction', () => {
    const markup = String(pageDocument(parts));
    assert.match(markup, /^<html lang="ar" dir="rtl">/);
    assert.match(markup, /<title>&lt;\/title&gt;&lt;script&gt;<\/title>/);
    assert.doesNotMatch(markup, /nonce/);
  });

  it('may be framed by nobody, or by the one that it names', () => {
    assert.equal(answerPage(parts).headers?.['X-Frame-Options'], 'DENY');
    assert.equal(answerPage({ ...parts, allowed: { framedBy: "'self'" } }).headers?.['X-Frame-Options'], undefined);
  });
});
