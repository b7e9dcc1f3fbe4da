import assert from 'node:assert/strict';
import { type BotIdentitySettings, refuseUnsafe, unsafeSettings } from '../../src/bot/refuse-unsafe.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';

describe("the settings of the bot's identity", () => {
  const app = { MicrosoftAppId: '8a4b1c50-0000-4000-8000-000000000001', MicrosoftAppPassword: 'hunter2' };
  const tenant = { MicrosoftAppTenantId: '8a4b1c50-0000-4000-8000-000000000002' };

  const safe: [string, BotIdentitySettings][] = [
    ['nothing, for local use', {}],
    ['nothing outside production', { NODE_ENV: 'development' }],
    ['an app of many tenants', { ...app, NODE_ENV: 'production' }],
    ['an app of one tenant', { ...app, ...tenant, MicrosoftAppType: 'SingleTenant' }],
    ['a managed identity', { MicrosoftAppId: app.MicrosoftAppId, ...tenant, MicrosoftAppType: 'UserAssignedMSI' }],
    ['a type in other capitals', { ...app, MicrosoftAppType: 'multitenant' }],
  ];
  for (const [what, settings] of safe) it(`take ${what}`, () => refuseUnsafe(settings));

  const unsafe: [string, BotIdentitySettings, string[]][] = [
    ['no app in production', { NODE_ENV: 'production' }, ['MicrosoftAppId']],
    ['an empty app id in production', { NODE_ENV: 'production', MicrosoftAppId: '' }, ['MicrosoftAppId']],
    ['a password without an app', { MicrosoftAppPassword: 'hunter2' }, ['MicrosoftAppPassword']],
    ['an app without a password', { MicrosoftAppId: app.MicrosoftAppId }, ['MicrosoftAppPassword']],
    ['an app id that is none', { ...app, MicrosoftAppId: 'my-bot' }, ['MicrosoftAppId']],
    ['an unknown type', { ...app, MicrosoftAppType: 'Other' }, ['MicrosoftAppType']],
    ['one tenant without its id', { ...app, MicrosoftAppType: 'SingleTenant' }, ['MicrosoftAppTenantId']],
    ['a managed identity with a password', { ...app, ...tenant, MicrosoftAppType: 'UserAssignedMSI' }, ['MicrosoftAppPassword']],
    [
      'several at once',
      { MicrosoftAppId: 'x', MicrosoftAppType: 'SingleTenant' },
      ['MicrosoftAppId', 'MicrosoftAppPassword', 'MicrosoftAppTenantId'],
    ],
  ];
  for (const [what, settings, names] of unsafe) {
    it(`refuse ${what}, by name and without quoting a value`, () => {
      const lines = unsafeSettings(settings);
      assert.deepEqual(
        lines.map((line) => line.split(':')[0]),
        names,
      );
      assert.doesNotMatch(lines.join(), /hunter2|my-bot/);
      assert.throws(() => refuseUnsafe(settings), SettingsError);
    });
  }
});
