import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { talkTo } from '../support/talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

describe('a message that the customer should expect', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-theme-'));
  const theme = join(folder, 'theme.yaml');
  let whole: Whole;
  before(() => writeFileSync(theme, 'name: Brightwater Energy\n'));
  afterEach(() => whole.close());
  after(() => rmSync(folder, { recursive: true }));

  const waits = async (settings: Readonly<Record<string, string>>) => {
    whole = await startWhole({ settings });
    const talk = await talkTo(whole);
    for (const said of ['payments', '+12025550102']) await talk.say(said);
    await talk.say('1');
    await talk.asks();
    const { text } = await talk.sees(/Waiting for your payment/);
    return text.replace(/[\u00A0\u202F]/g, ' ');
  };

  it('is announced under the name of the chat, with the amount and the deadline', async () => {
    assert.match(
      await waits({ CHAT_THEME: theme }),
      /comes from Brightwater Energy\. Product: Electricity and gas, November; Amount: \$128\.40; Valid until: [^\n]*\d:\d\d [AP]M UTC\n/,
    );
  });

  it('is announced without a name if the chat has none', async () => {
    const text = await waits({});
    assert.doesNotMatch(text, /comes from/);
    assert.match(text, /\nProduct: Electricity and gas, November; Amount: \$128\.40; Valid until: /);
  });
});
