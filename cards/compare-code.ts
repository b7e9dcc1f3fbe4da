// The two digits that tell a customer that the message on their device is this chat's.
import type { Container } from './card.ts';
import { paragraph } from './elements.ts';
import type { Texts } from './texts.ts';

/** The digits, large. */
export const codeBox = (code: string, t: Texts): Container => ({
  type: 'Container',
  style: 'emphasis',
  spacing: 'Medium',
  items: [
    paragraph(t('cards.waiting.code'), { size: 'Small', isSubtle: true, align: 'Center' }),
    paragraph(code, { size: 'ExtraLarge', weight: 'Bolder', fontType: 'Monospace', align: 'Center', spacing: 'Small' }),
  ],
});

/** The same as a line of plain text. */
export const codeLine = (code: string, t: Texts): string => `${t('cards.waiting.code')} ${code}`;
