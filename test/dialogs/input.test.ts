import assert from 'node:assert/strict';
import type { Activity } from 'botbuilder';
import { readInput } from '../../dialogs/input.ts';

describe('what was typed', () => {
  const recipient = { id: '28:bot', name: 'Bot' };
  const mention = (text: string, id = recipient.id) => ({ type: 'mention', text, mentioned: { id, name: 'Bot' } });
  const typed = (fields: object) => readInput({ type: 'message', channelId: 'msteams', recipient, ...fields } as Partial<Activity>);

  const said: [string, object, string][] = [
    ['the bot’s name before it', { text: '<at>Bot</at> payments', entities: [mention('<at>Bot</at>')] }, 'payments'],
    [
      'a name of two words, marked twice',
      { text: '<at>My</at> <at>Bot</at> pay', entities: [mention('<at>My</at>'), mention('<at>Bot</at>')] },
      'pay',
    ],
    ['a space that Teams wrote as an entity', { text: '&nbsp;payments' }, 'payments'],
    ['Teams’ newline at the end', { text: 'payments\r\n' }, 'payments'],
    ['characters that Teams wrote as entities', { text: 'Smith &amp; S&#246;hne &lt;3' }, 'Smith & Söhne <3'],
    [
      'somebody else’s name, which is part of what is said',
      { text: '<at>Eve</at> pays', entities: [mention('<at>Eve</at>', '29:eve')] },
      '<at>Eve</at> pays',
    ],
    ['XML', { channelId: 'other', textFormat: 'xml', text: 'a &amp; b' }, 'a & b'],
    ['an entity that a customer typed', { channelId: 'directline', textFormat: 'plain', text: 'a &amp; b' }, 'a &amp; b'],
    ['entities that are none', { text: 'pay', entities: [{ type: 'mention' }, { type: 'mention', text: 'pay', mentioned: null }] }, 'pay'],
    ['a character that would mean something in a replacement', { text: '$& pay', entities: [mention('$&')] }, 'pay'],
  ];
  for (const [what, fields, text] of said) {
    it(`is read without ${what}`.replace(/without (somebody|an entity that a|entities that are none|XML)/, 'with $1'), () => {
      assert.deepEqual(typed(fields), { kind: 'text', text });
    });
  }

  it('is nothing where there is only the bot’s name', () => {
    assert.deepEqual(typed({ text: '<at>Bot</at>&nbsp;', entities: [mention('<at>Bot</at>')] }), { kind: 'unreadable' });
  });
});
