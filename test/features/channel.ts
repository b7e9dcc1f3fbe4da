// A customer on a channel that posts to the messaging endpoint: Teams if the bot has an identity, else an emulator.
import assert from 'node:assert/strict';
import { fetch } from 'undici';
import { message } from '../support/activities.ts';
import { until } from '../support/until.ts';
import { type Started, skillId } from './start.ts';

export const tenant = '66666666-7777-4888-9999-000000000009';
const teamsUrl = 'https://smba.trafficmanager.net/amer/';

export const talkOnChannel = ({ authority, channel, home, identified }: Started, locale = 'en') => {
  const before = channel.received.length;
  const conversation = { id: `channel-${before}`, tenantId: tenant, conversationType: 'personal' };
  const serviceUrl = identified ? teamsUrl : channel.serviceUrl;
  return {
    say: async (text: string) => {
      const from = { id: '29:somebody', aadObjectId: '66666666-7777-4888-9999-00000000000a' };
      const channelData = { tenant: { id: tenant } };
      const channelId = identified ? 'msteams' : 'emulator';
      const activity = message({
        ...{ id: `${conversation.id} ${text}`, channelId, serviceUrl, locale, text, conversation, from, channelData },
      });
      const exp = Math.floor(Date.now() / 1000) + 600;
      const key = await authority.sign({ iss: authority.issuer, aud: skillId, exp, serviceurl: teamsUrl }, 'endorsed');
      const headers = { 'content-type': 'application/json', ...(identified && { authorization: `Bearer ${key}` }) };
      const answer = await fetch(`${home}/api/messages`, { method: 'POST', body: JSON.stringify(activity), headers });
      assert.equal(answer.status, 200);
    },
    heard: (words: RegExp) =>
      until(() => channel.received.slice(before).some(({ body }) => words.test(JSON.stringify(body))), `${words} on the channel`),
  };
};
