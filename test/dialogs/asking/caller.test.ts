import assert from 'node:assert/strict';
import { firstOf, numberInToken, numberOfSender } from '../../../dialogs/asking/caller.ts';
import { ownServiceUrl } from '../../../src/platform/channels.ts';
import { maskEmail, maskName, maskPhoneNumber } from '../../../src/platform/text/masks.ts';

describe('the number a channel vouches for', () => {
  const senders: [string, string, string | undefined][] = [
    ['sms', '+12025550101', '+12025550101'],
    ['telephony', 'tel:+12025550101', '+12025550101'],
    ['whatsapp', 'whatsapp:12025550101', '+12025550101'],
    ['sms', 'short', undefined],
    ['sms', '+0202555010', undefined],
    ['sms', '72000', undefined],
    ['telephony', '+1234567890123456', undefined],
    ['msteams', '+12025550101', undefined],
  ];
  for (const [channelId, id, number] of senders) {
    it(`is ${number ?? 'unknown'} for ${id} on ${channelId}`, async () => {
      assert.equal(await numberOfSender({ channelId, from: { id, name: '' } }), number);
    });
  }

  it('is taken from the token of our own chat, and from no other', async () => {
    const channelData = { verified: { phoneNumber: '+12025550101' } };
    assert.equal(await numberInToken({ serviceUrl: ownServiceUrl, channelData }), '+12025550101');
    assert.equal(await numberInToken({ serviceUrl: 'https://elsewhere.example', channelData }), undefined);
    assert.equal(await numberInToken({ serviceUrl: ownServiceUrl }), undefined);
    for (const claimed of ['2025550101', 12025550101, '+0', {}, null])
      assert.equal(await numberInToken({ serviceUrl: ownServiceUrl, channelData: { verified: { phoneNumber: claimed } } }), undefined);
  });

  it('is the first that any resolver knows', async () => {
    assert.equal(await firstOf([async () => undefined, async () => '+1', async () => '+2'])({}), '+1');
  });
});

describe('masking', () => {
  const table: [(value: string) => string, string, string][] = [
    [maskName, 'Jane Doe', 'J••• D.'],
    [maskName, 'María del Carmen Ruiz', 'M••• R.'],
    [maskName, 'Cher', 'C•••'],
    [maskName, '', '•••'],
    [maskName, '𝒥ane 𝒟oe', '𝒥••• 𝒟.'],
    [maskEmail, 'jane@example.com', 'j•••@•••.com'],
    [maskEmail, 'jane@mail.smith.co.uk', 'j•••@•••.uk'],
    [maskEmail, 'not an address', 'n•••@•••'],
    [maskPhoneNumber, '+12025550101', '+1•••0101'],
  ];
  for (const [mask, value, masked] of table) it(`shows “${value}” as “${masked}”`, () => assert.equal(mask(value), masked));
});
