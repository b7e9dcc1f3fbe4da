import assert from 'node:assert/strict';
import { limitTurns } from '../../src/bot/turns/turn-steps.ts';

describe('the key presses of a caller', () => {
  const from = { id: '+12025550102' };
  const press = { channelId: 'telephony', from, type: 'message', entities: [{ type: 'DTMF' }] };
  const refused = { code: 'too_many_turns', status: 429 };

  it('are counted apart from messages: a long number is keyed in faster than ten sentences', async () => {
    const admit = limitTurns({ points: 1, seconds: 10 });
    await admit({ channelId: 'telephony', from });
    await assert.rejects(admit({ channelId: 'telephony', from }), refused);
    for (let count = 0; count < 60; count += 1) await admit(press);
    await assert.rejects(admit(press), refused);
  });

  it('count like any other message on a channel without a keypad', async () => {
    for (const activity of [
      { ...press, channelId: 'webchat' },
      { channelId: 'msteams', from, type: 'event', name: 'DTMF' },
    ]) {
      const admit = limitTurns({ points: 1, seconds: 10 });
      await admit(activity);
      await assert.rejects(admit(activity), refused);
    }
  });
});
