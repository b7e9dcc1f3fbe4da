import assert from 'node:assert/strict';
import { type AppId, compareCode } from '../../src/contract/index.ts';
import { newestLink } from '../support/device.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

const panels = { 'variable:ownerName': 'Mei', 'variable:visitDate': '2026-12-05', 'variable:panels': '4' };
const ways: Record<AppId, (talk: Talk) => Promise<void>> = {
  passkeys: async () => {},
  'one-time-passcode': async () => {},
  'document-signature': async (talk) => {
    await talk.press(/^Solar panel consent/);
    await talk.press('Continue', panels);
  },
  payments: async (talk) => talk.say('1'),
  'e-form': async (talk) => talk.say('1'),
};

/** Sends a request, and answers what the chat says while it waits. */
const waitingFor = async (whole: Whole, app: AppId): Promise<string> => {
  const talk = await talkTo(whole);
  await talk.say(app);
  await talk.say('+12025550102');
  await ways[app](talk);
  await talk.asks();
  const { text, attachments } = await talk.sees(/Waiting for|Enter your code/);
  const [, shown] = /(?:shows the same number:?|names your check number) (\d\d)\b/.exec(text) ?? [];
  // The field for the code is on the same card, where the biggest number would be taken for it.
  if (shown && app === 'one-time-passcode') assert.doesNotMatch(JSON.stringify(attachments), new RegExp(`"text":"${shown}"|ExtraLarge`));
  else if (shown) assert.match(JSON.stringify(attachments), new RegExp(`"ExtraLarge"[^}]*"${shown}"|"text":"${shown}"[^}]*"ExtraLarge"`));
  return shown ?? 'none';
};
const outbox = async ({ service }: Whole) => (await fetch(`${service.baseUrl}/outbox/messages`)).text();

describe('the number that chat and device both show', () => {
  let whole: Whole;
  afterEach(() => whole.close());

  for (const app of Object.keys(ways) as AppId[]) {
    it(`is the same in the chat, where it is large unless a code is asked for, in the message and on the page of ${app}`, async () => {
      whole = await startWhole();
      const shown = await waitingFor(whole, app);
      assert.match(shown, /^\d\d$/);
      assert.match(await outbox(whole), new RegExp(`only if your chat shows(?: the number)? ${shown}\\b|if your chat shows ${shown}\\b`));
      if (app === 'one-time-passcode') return;
      const page = await (await fetch(`${whole.service.baseUrl}${await newestLink(whole)}`)).text();
      assert.match(page, new RegExp(`<strong class="number">${shown}</strong>`));
    });

    it(`is not announced in the chat if the service does not show it (${app})`, async () => {
      whole = await startWhole({ showsCode: false });
      const shown = await waitingFor(whole, app);
      if (app !== 'passkeys') assert.equal(shown, 'none');
      else assert.match(await outbox(whole), new RegExp(`The chat shows the code ${shown}\\b`));
    });
  }

  it('has two digits and no leading zero for every request, and ignores upper and lower case', async () => {
    whole = await startWhole();
    const codes = Array.from({ length: 2000 }, (_, index) => compareCode(`01KAH5Z0V8Q2J9XW3N4M5P${index}`));
    assert.ok(codes.every((code) => /^[1-9]\d$/.test(code)));
    assert.equal(new Set(codes).size, 90);
    assert.equal(compareCode('01kah5z0v8'), compareCode('01KAH5Z0V8'));
  });
});
