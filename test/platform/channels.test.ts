import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelOf } from '../../src/platform/channels.ts';

const root = join(import.meta.dirname, '../..');

describe('a channel', () => {
  const channels: [string, string, string][] = [
    [
      'msteams',
      'https://smba.trafficmanager.net/emea/',
      'cards universalActions alerts updates typing markup candidates privateChat thumbs accounts',
    ],
    ['webchat', 'https://webchat.botframework.com/', 'cards webChat typing thumbs anybody'],
    ['directline', 'https://directline.botframework.com/', 'cards webChat typing thumbs anybody'],
    ['directline', 'urn:countersign:directline', 'cards webChat updates typing removes showsVerified thumbs anybody'],
    ['emulator', 'http://localhost:1', 'cards webChat typing thumbs anybody'],
    ['slack', 'https://slack.botframework.com/', 'updates markup anybody'],
    ...['sms', 'twilio-sms'].map((id): [string, string, string] => [id, 'https://a.example/', 'segments opensOnPhone phones']),
    ['telephony', 'https://a.example/', 'voice candidates transfers phones'],
    ['voice-gateway', 'urn:countersign:directline', 'removes voice candidates transfers phones'],
    ['whatsapp', 'https://a.example/', 'opensOnPhone phones'],
    ['acs', 'https://a.example/', 'phones'],
    ...['line', 'facebook', 'telegram', 'email', 'some-other', 'constructor', ''].map((id): [string, string, string] => [
      id,
      'https://a.example/',
      'anybody',
    ]),
  ];
  for (const [channelId, serviceUrl, abilities] of channels)
    it(`${channelId || 'without a name'} at ${new URL(serviceUrl).host || 'home'} has: ${abilities}`, () => {
      const { limits: _, users, ...can } = channelOf({ channelId, serviceUrl });
      assert.equal([...Object.entries(can).flatMap(([ability, has]) => (has ? [ability] : [])), users].join(' '), abilities);
    });

  it('is compared by name in channels.ts only', () => {
    const files = globSync('{src,dialogs,cards}/**/*.ts', { cwd: root }).filter((file) => file !== 'src/platform/channels.ts');
    const comparing = files.filter((file) =>
      /channelId\s*[!=]==?|[!=]==?\s*channelId|\.has\(channelId|'(?:msteams|webchat|telephony|slack|whatsapp)'/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );
    assert.ok(files.length > 300);
    assert.deepEqual(comparing, []);
  });
});
