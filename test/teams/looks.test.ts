import { launchBrowser, shoot, type TestBrowser } from '../support/browser.ts';
import { type Playground, startPlayground } from '../support/playground.ts';
import { teamsTalk } from '../support/teams-talk.ts';
import { startWhole, type Whole } from '../support/whole.ts';

// Microsoft's emulator draws what Teams is sent with Microsoft's own renderer and host config.
describe('a conversation as Microsoft’s emulator of Teams shows it', function () {
  this.timeout(120_000);
  let whole: Whole;
  let playground: Playground;
  let browser: TestBrowser;
  before(async () => {
    whole = await startWhole({ settings: { LOOKUP_REPLIES: 'offer' } });
    playground = await startPlayground(whole.bot().port);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await playground?.close();
    await whole.close();
  });

  // It has one look, whatever the browser prefers.
  it('shows every message and card, from the menu to the receipt', async () => {
    const { page } = await browser.page({ viewport: { width: 1100, height: 1500 } });
    await page.goto(playground.url);
    const talk = teamsTalk(playground);
    await talk.say('payments');
    await talk.say('+12025550110');
    await talk.say('my electricity');
    await talk.sees(/on your phone/);
    await page.getByText('on your phone').last().waitFor();
    await shoot(page, 'teams-confirm');
    await talk.press(/^(Text|E-mail) me/);
    await talk.sees(/Payment received/);
    await page.getByText('Payment received').last().waitFor();
    await shoot(page, 'teams-receipt');
    for (const words of ['$128.40', 'What would you like to do?']) await page.getByText(words).last().waitFor();
  });
});
