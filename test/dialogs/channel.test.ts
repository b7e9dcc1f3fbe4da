import assert from 'node:assert/strict';
import { channelOf } from '../../dialogs/channel.ts';

describe('a channel', () => {
  const channels: [string, string, string][] = [
    ['msteams', 'https://smba.trafficmanager.net/emea/', 'cards alerts updates'],
    ['webchat', 'https://webchat.botframework.com/', 'cards webChat'],
    ['directline', 'https://directline.botframework.com/', 'cards webChat'],
    ['directline', 'urn:countersign:directline', 'cards webChat updates removes'],
    ['emulator', 'http://localhost:1', 'cards webChat'],
    ['slack', 'https://slack.botframework.com/', 'updates'],
    ...['sms', 'telephony', 'whatsapp', 'line', 'facebook', 'telegram', 'email', 'acs', 'some-other'].map(
      (id): [string, string, string] => [id, 'https://channel.example/', ''],
    ),
  ];
  for (const [channelId, serviceUrl, abilities] of channels) {
    it(`${channelId} at ${new URL(serviceUrl).host || 'home'} can: ${abilities || 'text alone'}`, () => {
      const can = Object.entries(channelOf({ channelId, serviceUrl })).flatMap(([ability, has]) => (has ? [ability] : []));
      assert.equal(can.join(' '), abilities);
    });
  }
});
