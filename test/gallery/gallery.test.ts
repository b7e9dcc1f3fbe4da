import assert from 'node:assert/strict';
import { request } from 'undici';
import { cardKinds } from '../../cards/index.ts';
import { chatLanguages, makeTexts, makeTextsFor } from '../../dialogs/index.ts';
import { cardSamples } from '../../src/gallery/samples.ts';
import { knownChannels } from '../../src/platform/channels.ts';
import { type GalleryUnderTest, startGallery } from '../support/gallery.ts';

describe('the gallery of cards', () => {
  let gallery: GalleryUnderTest;
  before(async () => {
    const own = { en: new Map([['apps.payments.name', 'Bills']]) };
    gallery = await startGallery({}, makeTextsFor('en', undefined, { own }));
  });
  after(() => gallery.close());

  const ask = async (choice: Readonly<Record<string, string>> = {}, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await request(`${gallery.url}?${new URLSearchParams(choice)}`, { headers });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  const namesIn = (text: string) => [...text.matchAll(/data-name="([^"]+)"/g)].map(([, name]) => name);

  it('has every kind of card that there is, in every language', () => {
    for (const language of chatLanguages) {
      const kinds = new Set(cardSamples(makeTexts(language)).map(({ message }) => message.kind));
      assert.deepEqual([...kinds].sort(), [...cardKinds].sort());
    }
  });

  it('names each of its cards once', () => {
    const names = cardSamples(makeTexts('en')).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
  });

  for (const channel of ['chat page', ...knownChannels])
    it(`shows all of them on ${channel}`, async () => {
      const { status, text } = await ask({ cards: 'all', channel, language: 'ja' });
      assert.equal(status, 200);
      assert.deepEqual(
        namesIn(text),
        cardSamples(makeTexts('ja')).map(({ name }) => name),
      );
      for (const kind of cardKinds) assert.ok(text.includes(`data-kind="${kind}"`), kind);
    });

  it('shows what a channel is sent: a card as that channel takes it, or the words in its place', async () => {
    const sent = async (channel: string) => (await ask({ channel, cards: 'payments' })).text;
    assert.match(await sent('chat page'), /Action\.Submit/);
    assert.doesNotMatch(await sent('chat page'), /Action\.Execute/);
    assert.match(await sent('msteams'), /Action\.Execute/);
    assert.match(await sent('sms'), /<p class="words">Pay \S+ on your phone/);
    assert.match(await sent('telephony'), /<p class="words spoken">&lt;speak/);
  });

  it('speaks with an operator’s own texts', async () => assert.match((await ask({ cards: 'payments' })).text, /Bills/));

  it('shows its defaults for unknown choices', async () => {
    const { text } = await ask({ language: 'pt', channel: 'smoke', theme: '"><script>', cards: 'none' });
    assert.match(text, /<body data-renderer="web-chat" data-theme="light" data-width="520" data-locale="en"/);
  });

  it('runs nothing but its own scripts', async () => {
    const { headers, text } = await ask();
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; script-src 'nonce-[^']+';.* frame-ancestors 'none'$/);
    assert.doesNotMatch(text, /<script(?![^>]* (?:src|type="importmap"))|style="|onclick=/);
  });

  for (const [what, headers] of [
    ['handed on by a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['under another name', { host: 'chat.example.com' }],
  ] as const)
    it(`does not exist for a request ${what}`, async () => assert.equal((await ask({}, headers)).status, 404));
});
