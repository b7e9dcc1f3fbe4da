import assert from 'node:assert/strict';
import { lookupReplies } from '../../src/compose/bot/bot-services.ts';
import { botOptionsOf } from '../../src/compose/start/bot-settings.ts';
import { serviceAccess } from '../../src/compose/start/service.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { makeLog } from '../../src/platform/log.ts';

const tenant = '66666666-7777-4888-9999-000000000000';
const other = 'ffffffff-0000-4000-8000-000000000000';
const production = {
  NODE_ENV: 'production',
  MicrosoftAppId: '6f1c0000-0000-4000-8000-000000000001',
  MicrosoftAppPassword: 'secret',
  MicrosoftAppTenantId: tenant,
  SERVICE_BASE_URL: 'https://service.example.com',
  SERVICE_SECRET_KEY: 'k'.repeat(32),
  PUBLIC_URL: 'https://chat.example.com',
  TRUSTED_PROXIES: '0',
};
const stranger = { channelId: 'directline', from: { id: 'dl_1', name: '' } };
const of = (tenantId: string) => ({
  channelId: 'msteams',
  from: { id: 'u', name: '', aadObjectId: 'a-1' },
  conversation: { id: 'c', tenantId } as never,
  channelData: { tenant: { id: tenantId } },
});
const colleague = of(tenant);

describe('typed numbers', () => {
  const table: [string, Record<string, string>, stranger: boolean, colleague: boolean, catalogue: string | undefined][] = [
    ['on this machine', {}, false, false, '+12025550102'],
    ['on this machine, told so', { LOOKUP_REPLIES: 'alike' }, true, true, '+12025550102'],
    ['with an app id, which anybody can reach', { ...production, NODE_ENV: '' }, true, false, undefined],
    ['in production', production, true, false, undefined],
    ['in production, with a number of the operator’s', { ...production, CATALOGUE_NUMBER: '+12025550147' }, true, false, '+12025550147'],
    ['in production, told so', { ...production, LOOKUP_REPLIES: 'alike' }, true, true, undefined],
    ['in production, told otherwise', { ...production, LOOKUP_REPLIES: 'offer' }, false, false, undefined],
  ];
  for (const [where, environment, ofStranger, ofColleague, catalogue] of table)
    it(`${where} ${ofStranger ? 'ask for initials' : 'are looked up'}`, () => {
      const lines: string[] = [];
      const log = makeLog('warn', { write: (line) => void lines.push(line) });
      const settings = readSettings({ SERVICE_SECRET_KEY: 'k'.repeat(32), ...environment });
      const { asksInitials, catalogueNumber } = lookupReplies(botOptionsOf(settings, serviceAccess(settings), log), log);
      assert.deepEqual([asksInitials(stranger), asksInitials(colleague), catalogueNumber], [ofStranger, ofColleague, catalogue]);
      assert.equal(lines.join('').includes('no_catalogue_number'), ofStranger && catalogue === undefined);
    });

  const organisations: [string, Record<string, string>, string, boolean][] = [
    ['the app’s own', {}, tenant, false],
    ['any other', {}, other, true],
    ['one that the settings name', { TEAMS_TENANTS: other }, other, false],
    ['the app’s own beside those', { TEAMS_TENANTS: other }, tenant, false],
    ['any, where none is named', { MicrosoftAppTenantId: '' }, tenant, true],
  ];
  for (const [organisation, environment, user, asks] of organisations)
    it(`of a Teams user of ${organisation} ${asks ? 'ask for initials' : 'are looked up'}`, () => {
      const settings = readSettings({ ...production, ...environment });
      const { asksInitials } = lookupReplies(botOptionsOf(settings, serviceAccess(settings), makeLog('silent')), makeLog('silent'));
      assert.equal(asksInitials(of(user)), asks);
    });
});
