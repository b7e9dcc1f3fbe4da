// Features by which agents come into a chat.
import assert from 'node:assert/strict';
import { WebSocket } from 'ws';
import { openDeskAgent, signInAtDesk } from '../support/desk.ts';
import { makeOpenIdVisitor } from '../support/openid-visitor.ts';
import { until } from '../support/until.ts';
import { talkOnChannel } from './channel.ts';
import { askForPerson, type Feature } from './feature.ts';
import { languageOfHub, type Started } from './start.ts';
import { platformKey, type Surroundings } from './surroundings.ts';

/** The status of the answer to an upgrade; 101 if it was taken. */
const upgrade = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(address.replace(/^http/, 'ws'));
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode)).once('error', reject);
    socket.once('open', () => {
      socket.terminate();
      resolve(101);
    });
  });

const servesAtDesk = async ({ home, talk }: Started, cookie: string) => {
  const agent = await openDeskAgent(() => home, cookie);
  try {
    const chat = await talk(languageOfHub.desk);
    await chat.say(askForPerson(languageOfHub.desk));
    const { id } = await until(() => agent.rows()[0], 'the waiting customer at the desk');
    assert.equal((await agent.act(id, { kind: 'accept' })).refused, undefined);
    await chat.sees(/Mara has joined|Mara .*joined/);
    assert.equal((await agent.act(id, { kind: 'finish', wrapUp: 'solved' })).refused, undefined);
  } finally {
    await agent.disconnect();
  }
};

/** The hub's agents are members of the channel, which gets an event or a command. */
const asksOnChannel = (hub: 'event' | 'omnichannel', sign: RegExp) => async (started: Started) => {
  const { heard, say } = talkOnChannel(started, languageOfHub[hub]);
  await say(askForPerson(languageOfHub[hub]));
  await heard(sign);
};

export const people: readonly Feature[] = [
  {
    name: 'desk by a link',
    settings: { HANDOFF: 'desk' },
    works: async (started) =>
      servesAtDesk(started, await signInAtDesk(started.bot().links.desk ?? '', { id: 'mara@example.com', name: 'Mara' })),
  },
  {
    name: 'desk with OpenID',
    settings: {
      HANDOFF: 'desk',
      PUBLIC_URL: ({ home }) => home,
      DESK_OIDC_ISSUER: ({ provider }) => provider.issuer,
      DESK_OIDC_CLIENT_ID: ({ provider }) => provider.settings.clientId,
      DESK_OIDC_CLIENT_SECRET: ({ provider }) => provider.settings.clientSecret,
    },
    without: { 'desk by a link': 'agents sign in by one of the two' },
    works: async (started) => {
      const visitor = makeOpenIdVisitor(started.home, '/desk');
      await visitor.signIn('olga');
      const cookie = [...visitor.cookies(started.home)].map(([name, value]) => `${name}=${value}`).join('; ');
      await servesAtDesk(started, cookie);
    },
  },
  {
    name: 'Chatwoot, with its panel',
    settings: Object.fromEntries([
      ['HANDOFF', 'chatwoot'],
      ...(['URL', 'TOKEN', 'ACCOUNT', 'INBOX', 'CALLBACK_KEY'] as const).map((name) => [
        `CHATWOOT_${name}`,
        ({ chatwoot }: Surroundings) => chatwoot.settings[`CHATWOOT_${name}`] ?? '',
      ]),
    ]),
    works: async ({ bot, chatwoot, home, talk }) => {
      const chat = await talk(languageOfHub.chatwoot);
      const before = chatwoot.conversations.length;
      await chat.say(askForPerson(languageOfHub.chatwoot));
      const conversation = await until(() => chatwoot.conversations[before], 'the conversation in Chatwoot');
      await chatwoot.assign(conversation.id, chatwoot.agents[0]);
      await chat.sees(/Mara/);
      await chatwoot.setStatus(conversation.id, 'resolved');
      // There is a panel where agents can sign in.
      if (bot().links.desk !== undefined)
        assert.notEqual(await upgrade(`${home}/desk/panel/chatwoot/socket`), 404, 'the panel’s websocket');
    },
  },
  {
    name: 'hub behind the channel',
    settings: { HANDOFF: 'event' },
    works: asksOnChannel('event', /handoff\.initiate/),
  },
  {
    name: 'hub in Dynamics 365',
    settings: { HANDOFF: 'omnichannel' },
    works: asksOnChannel('omnichannel', /Escalate/),
  },
  {
    name: 'hub by webhooks',
    settings: {
      HANDOFF: 'webhook',
      HANDOFF_KEY: platformKey,
      HANDOFF_WEBHOOK_URL: ({ platform }) => platform.url,
      HANDOFF_WEBHOOK_SECRET: ({ platform }) => platform.secret,
    },
    works: async ({ platform, talk }) => {
      const chat = await talk(languageOfHub.webhook);
      const before = platform.events.length;
      await chat.say(askForPerson(languageOfHub.webhook));
      const asked = await until(() => platform.events.slice(before).find(({ type }) => type === 'handoff.requested'), 'the request');
      const accepted = await platform.post(`/handoff/${asked.data.handoff.id}/accept`, { agent: { id: 'noa@example.com', name: 'Noa' } });
      assert.equal(accepted.status, 200);
      await chat.sees(/Noa/);
      await platform.post(`/handoff/${asked.data.handoff.id}/finish`, {});
    },
  },
  {
    name: 'office hours',
    settings: { HANDOFF: 'event', HANDOFF_FILE: 'with hours' },
    works: asksOnChannel('event', /handoff\.initiate/),
  },
  {
    name: 'a contact for people',
    settings: { AGENT_CONTACT: '0800 555 0147' },
    works: async ({ talk }) => {
      // No hub has this language.
      const chat = await talk('ja');
      await chat.say(askForPerson('ja'));
      await chat.sees(/0800 555 0147/);
    },
  },
];
