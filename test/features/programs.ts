// Features for other programs: agents, root bots, sites, gateways, operators' tools.
import assert from 'node:assert/strict';
import { MemoryStorage } from 'botbuilder';
import { fetch } from 'undici';
import type { Seen } from '../support/direct-line.ts';
import { openAgent } from '../support/mcp-agent.ts';
import { openRoot } from '../support/root-bot.ts';
import { until } from '../support/until.ts';
import { gatewayKey, startCall } from '../support/voice-gateway.ts';
import { talkOnChannel, tenant } from './channel.ts';
import { customer, type Feature, longKey } from './feature.ts';
import { skillId } from './start.ts';

const [mcpKey, directLineSecret, metricsToken, azureSecret] = ['mcp', 'directline', 'metrics', 'azure'].map(longKey) as [
  string,
  string,
  string,
  string,
];
const root = { appId: '8a4b1c50-0000-4000-8000-00000000000a', host: 'root.example.com' };

const identity: Feature['settings'] = {
  MicrosoftAppId: skillId,
  MicrosoftAppPassword: 'hunter2',
  PUBLIC_URL: ({ home }) => home,
};
const without = { 'desk by a link': 'a bot that others can reach has no sign-in by a link' };

const startsPayment = async (url: string, key: string) => {
  const agent = await openAgent(url, key);
  try {
    const { interactionId, state } = await agent.call('start_payments', { phoneNumber: customer, productId: 'fibre-router' });
    assert.equal(state, 'pending');
    assert.equal((await agent.call('cancel', { interactionId })).state, 'ended');
  } finally {
    await agent.close();
  }
};

const withKey = (key: string) => ({ headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' } });

export const programs: readonly Feature[] = [
  {
    name: 'agents by a key',
    settings: { MCP_KEY: mcpKey },
    works: async ({ bot }) => startsPayment(bot().links.mcp ?? '', mcpKey),
  },
  {
    name: 'agents by tokens',
    settings: { MCP_ISSUER: ({ issuer }) => issuer.address, MCP_AUDIENCE: 'countersign-here', MCP_SCOPE: 'ask' },
    works: async ({ bot, issuer }) => startsPayment(bot().links.mcp ?? '', await issuer.tokenFor('countersign-here')),
  },
  {
    name: 'the connector',
    settings: { MCP_KEY: mcpKey },
    works: async ({ home }) => {
      const body = JSON.stringify({ phoneNumber: customer, productId: 'fibre-router' });
      const answer = await fetch(`${home}/connector/start_payments`, { method: 'POST', body, ...withKey(mcpKey) });
      assert.equal(answer.status, 200, await answer.clone().text());
      assert.equal(((await answer.json()) as Seen).state, 'pending');
    },
  },
  {
    name: 'root bots',
    settings: { ...identity, SKILL_CALLERS: `${root.appId}@${root.host}` },
    without,
    works: async ({ authority, channel, home, port, ports }) => {
      assert.equal((await fetch(`${home}/manifests/skill.json`)).status, 200);
      const rootBot = await openRoot({ authority, ...root, storage: new MemoryStorage(), skill: { appId: skillId, port }, channel });
      ports[root.host] = rootBot.port;
      try {
        await rootBot.begin({ type: 'event', name: 'payments', value: { phoneNumber: customer } });
        await rootBot.sees(/M••• T\./);
      } finally {
        await rootBot.close();
      }
    },
  },
  {
    name: 'accounts of a tenant in Teams',
    settings: { ...identity, TEAMS_TENANTS: tenant },
    without: { ...without, 'replies that are alike': 'everybody is asked for their initials then' },
    works: async (started) => {
      const { heard, say } = talkOnChannel(started);
      await say('payments');
      await heard(/number/);
      // People whom nobody vouches for are asked for their initials here.
      await say(customer);
      await heard(/M••• T\./);
    },
  },
  {
    name: 'the page over Azure’s Direct Line',
    settings: { ...identity, AZURE_DIRECTLINE_SECRET: azureSecret, AZURE_DIRECTLINE_URL: ({ azureUrl }) => azureUrl },
    without,
    works: async ({ home }) => {
      const answer = await fetch(`${home}/chat/token`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } });
      assert.equal(((await answer.json()) as Seen).token, 'a-token-of-azure');
    },
  },
  {
    name: 'chats on other sites',
    settings: { DIRECTLINE_SECRET: directLineSecret, DIRECTLINE_ORIGINS: 'https://shop.example.com' },
    works: async ({ home }) => {
      const address = `${home}/v3/directline/tokens/generate`;
      assert.equal((await fetch(address, { method: 'POST', ...withKey('x') })).status, 403);
      const answer = await fetch(address, { method: 'POST', body: '{}', ...withKey(directLineSecret) });
      const { token } = (await answer.json()) as Seen;
      const origin = { ...withKey(token).headers, origin: 'https://shop.example.com' };
      const begun = await fetch(`${home}/v3/directline/conversations`, { method: 'POST', body: '{}', headers: origin });
      assert.deepEqual([begun.status, begun.headers.get('access-control-allow-origin')], [201, 'https://shop.example.com']);
    },
  },
  {
    name: 'calls by a voice gateway',
    settings: { VOICE_GATEWAY_KEY: gatewayKey, VOICE_TRANSFER: 'tel:+12025550100' },
    works: async ({ bot }) => {
      const call = await startCall({ bot }, { websocket: true });
      await call.hears(/Hello/);
      await call.say('talk to a person');
      await until(() => call.events.some(({ type, name }) => type === 'event' && name === 'transfer'), 'the transfer of the call');
    },
  },
  {
    name: 'numbers for a monitor',
    settings: { METRICS_TOKEN: metricsToken },
    works: async ({ home }) => {
      const answer = await fetch(`${home}/metrics`, withKey(metricsToken));
      assert.match(await answer.text(), /^countersign_/m);
      assert.equal((await fetch(`${home}/metrics`, withKey('x'))).status, 401);
    },
  },
  {
    name: 'traces',
    settings: { OTEL_EXPORTER_OTLP_ENDPOINT: ({ collector }) => collector.endpoint, OTEL_SERVICE_NAME: 'pairs' },
    works: async ({ collector, talk }) => {
      collector.spans.length = 0;
      await (await talk()).say('hello');
    },
    worked: async ({ collector }) => collector.spans.length > 0,
  },
];
