import assert from 'node:assert/strict';
import { chatOf } from '../../src/bot/turns/addresses.ts';
import { makeOpenTurn, notifyChats } from '../../src/bot/turns/turns.ts';
import type { Interaction } from '../../src/interactions/interaction.ts';
import { makeLog } from '../../src/platform/log.ts';

describe('a proactive message', () => {
  const activity = (conversation: string) => ({
    id: 'a1',
    type: 'message',
    channelId: 'msteams',
    serviceUrl: 'https://smba.trafficmanager.net/emea/',
    conversation: { id: conversation, name: '', isGroup: false, conversationType: 'personal' },
    from: { id: '29:user', name: '' },
    recipient: { id: '28:bot', name: '' },
  });
  const interaction = (chat: object) => ({ id: 'i1', app: 'payments', state: 'decided', ...chat }) as Interaction;

  const lines: string[] = [];
  const reached: string[] = [];
  const adapter: Parameters<typeof makeOpenTurn>[0] = {
    continueConversation: async (reference) => {
      reached.push(reference.conversation?.id ?? '');
    },
  };
  const log = makeLog('info', { write: (line) => void lines.push(line) });
  const notify = notifyChats(makeOpenTurn(adapter, log), async () => {});

  it('goes to the chat the interaction was made in', async () => {
    await notify(interaction(chatOf(activity('19:a'))), 'outcome');
    assert.deepEqual(reached.splice(0), ['19:a']);
  });

  it('is refused, with an error in the log, if the stored address is another chat’s', async () => {
    const swapped = { ...chatOf(activity('19:a')), address: chatOf(activity('19:b')).address };
    await assert.rejects(notify(interaction(swapped), 'outcome'), { code: 'wrong_chat', final: true });
    assert.deepEqual(reached, []);
    assert.match(lines.join(''), /"level":"error".*wrong_chat/);
  });

  it('stores no id of the customer’s message in its address', () => assert.doesNotMatch(chatOf(activity('19:a')).address, /a1/));
});
