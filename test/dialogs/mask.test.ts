import assert from 'node:assert/strict';
import { maskEmail, maskName, maskPhoneNumber } from '../../dialogs/mask.ts';

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
