import assert from 'node:assert/strict';
import fc from 'fast-check';
import { firstOf, numberInToken, numberOfSender, parsePhoneNumber } from '../../../dialogs/asking/caller.ts';
import { ownServiceUrl } from '../../../src/platform/channels.ts';
import { maskEmail, maskName, maskPhoneNumber } from '../../../src/platform/text/masks.ts';

describe('a typed phone number', () => {
  const table: [string, string, string | undefined][] = [
    ['+1 202 555 0101', 'US', '+12025550101'],
    ['(202) 555-0101', 'US', '+12025550101'],
    ['my number is 202.555.0101, thanks', 'US', '+12025550101'],
    ['030 901820', 'DE', '+4930901820'],
    ['0049 30 901820', 'DE', '+4930901820'],
    ['+49 30 901820', 'US', '+4930901820'],
    ['＋１ ２０２ ５５５ ０１０１', 'US', '+12025550101'],
    ['123', 'US', undefined],
    ['hello', 'US', undefined],
    ['', 'US', undefined],
    ['99999999999999999999999999', 'US', undefined],
    ['+49 123456789012345', 'US', undefined],
    ['+49 1234567890123', 'US', '+491234567890123'],
    ['<script>alert(1)</script>', 'US', undefined],
  ];
  for (const [typed, region, number] of table) {
    it(`“${typed}” in ${region} is ${number ?? 'none'}`, () => assert.equal(parsePhoneNumber(typed, region), number));
  }

  it('reads a number that the service can be asked about, or none, whatever is typed', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.stringMatching(/^[+0-9 ()./-]{0,40}$/),
      fc.stringMatching(/^\D{0,20}\+?[0-9 -]{5,25}\D{0,20}$/),
    );
    fc.assert(
      fc.property(typed, fc.constantFrom('US', 'DE', 'ES', 'GB', 'JP'), (text, region) => {
        const number = parsePhoneNumber(text, region);
        if (number !== undefined) assert.match(number, /^\+[1-9]\d{4,14}$/);
      }),
      { numRuns: 500 },
    );
  });
});

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
