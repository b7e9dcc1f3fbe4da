import assert from 'node:assert/strict';
import { makeLog } from '../../src/platform/log.ts';
import { SettingsError } from '../../src/platform/settings/settings-error.ts';
import { demoCatalogue } from '../../src/service/core/catalogue/load.ts';
import { optionsOf, readServiceSettings } from '../../src/service/settings.ts';

const linesOf = (environment: Record<string, string>) => {
  try {
    readServiceSettings(environment);
  } catch (fault) {
    assert.ok(fault instanceof SettingsError);
    return fault.lines;
  }
  return [];
};

describe('the settings of the reference service', () => {
  const stripe = { SERVICE_PAYMENT_GATEWAY: 'stripe' };
  const http = { SERVICE_PAYMENT_GATEWAY: 'http' };
  const secret = 'a-secret-of-twenty-four-characters-or-more';
  const shared = {
    SERVICE_SECRET_KEY: 'sk_1',
    SERVICE_PEPPER: 'a-pepper-of-thirty-two-characters-or-more',
    SERVICE_SIGNING_KEY: 'signing.pem',
    SERVICE_SIGNING_CERTIFICATE: 'signing.pem',
    SERVICE_PUBLIC_URL: 'https://verify.example.com',
  };
  const cases: [string, Record<string, string>, string[]][] = [
    ['nothing', {}, []],
    ['the sandbox', { SERVICE_PAYMENT_GATEWAY: 'sandbox' }, []],
    ['another gateway', { SERVICE_PAYMENT_GATEWAY: 'cash' }, ['SERVICE_PAYMENT_GATEWAY: must be sandbox, stripe or http.']],
    [
      'Stripe alone',
      stripe,
      [
        'STRIPE_SECRET_KEY: must be set when SERVICE_PAYMENT_GATEWAY is stripe.',
        'STRIPE_WEBHOOK_SECRET: must be set when SERVICE_PAYMENT_GATEWAY is stripe.',
      ],
    ],
    ['Stripe with its keys', { ...stripe, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, []],
    [
      'a connector alone',
      http,
      [
        'SERVICE_GATEWAY_URL: must be set when SERVICE_PAYMENT_GATEWAY is http.',
        'SERVICE_GATEWAY_SECRET: must be set when SERVICE_PAYMENT_GATEWAY is http.',
      ],
    ],
    ['a connector with all it needs', { ...http, SERVICE_GATEWAY_URL: 'https://pay.example.com/', SERVICE_GATEWAY_SECRET: secret }, []],
    [
      'a connector with a short secret',
      { ...http, SERVICE_GATEWAY_URL: 'https://pay.example.com/', SERVICE_GATEWAY_SECRET: 'short' },
      ['SERVICE_GATEWAY_SECRET: must have at least 24 characters.'],
    ],
    [
      'a connector nowhere',
      { ...http, SERVICE_GATEWAY_URL: 'pay', SERVICE_GATEWAY_SECRET: secret },
      ['SERVICE_GATEWAY_URL: must be an address such as https://payments.example.com/checkout.'],
    ],
    [
      'a key without its certificate',
      { SERVICE_SIGNING_KEY: 'signing.key' },
      ['SERVICE_SIGNING_CERTIFICATE: must be set when SERVICE_SIGNING_KEY is.'],
    ],
    [
      'a certificate without its key',
      { SERVICE_SIGNING_CERTIFICATE: 'signing.crt' },
      ['SERVICE_SIGNING_KEY: must be set when SERVICE_SIGNING_CERTIFICATE is.'],
    ],
    [
      'a Postgres alone',
      { SERVICE_DATABASE_URL: 'postgres://db.example.com/service' },
      [
        'SERVICE_SECRET_KEY: must be set when SERVICE_DATABASE_URL is.',
        'SERVICE_PEPPER: must be set when SERVICE_DATABASE_URL is.',
        'SERVICE_SIGNING_KEY: must be set when SERVICE_DATABASE_URL is.',
        'SERVICE_SIGNING_CERTIFICATE: must be set when SERVICE_DATABASE_URL is.',
        'SERVICE_PUBLIC_URL: must be set when SERVICE_DATABASE_URL is.',
      ],
    ],
    ['a Postgres with what replicas share', { SERVICE_DATABASE_URL: 'postgres://db.example.com/service', ...shared }, []],
    [
      'a file as a Postgres, and a short pepper',
      { ...shared, SERVICE_DATABASE_URL: 'service.db', SERVICE_PEPPER: 'short' },
      [
        'SERVICE_DATABASE_URL: must be an address such as postgres://user:password@db.example.com:5432/service; unset it to use the embedded database.',
        'SERVICE_PEPPER: must have at least 32 characters.',
      ],
    ],
  ];
  const sms = { SMS_GATEWAY_URL: 'https://api.twilio.com', SMS_ACCOUNT_SID: 'AC1', SMS_AUTH_TOKEN: 'canary', SMS_FROM: '+15005550006' };
  const mail = { SMTP_URL: 'smtp://user:p%40ss@mail.example.com:587', MAIL_FROM: 'Brightwater <no-reply@example.com>' };
  cases.push(
    ['an SMS gateway', sms, []],
    ['an SMS gateway on this machine', { ...sms, SMS_GATEWAY_URL: 'http://localhost:4020' }, []],
    ...['12345', 'Brightwater', `MG${'0a'.repeat(16)}`].map((SMS_FROM): (typeof cases)[0] => [
      `SMS from ${SMS_FROM}`,
      { ...sms, SMS_FROM },
      [],
    ]),
    ['a mail server', mail, []],
    ['a mail server on this machine, with a plain sender', { SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'no-reply@example.com' }, []],
    [
      'an SMS gateway alone',
      { SMS_GATEWAY_URL: 'https://api.twilio.com' },
      ['SMS_ACCOUNT_SID', 'SMS_AUTH_TOKEN', 'SMS_FROM'].map((name) => `${name}: must be set when SMS_GATEWAY_URL is.`),
    ],
    [
      'an SMS gateway in the clear',
      { ...sms, SMS_GATEWAY_URL: 'http://sms.example.com' },
      ['SMS_GATEWAY_URL: must be an https address, unless it is on this machine.'],
    ],
    [
      'an SMS gateway with a password in its address',
      { ...sms, SMS_GATEWAY_URL: 'https://a:canary@sms.example.com' },
      ['SMS_GATEWAY_URL: must be an address without credentials, query or fragment.'],
    ],
    ...['', '+0', '12', 'a name too long', 'Ünï', 'a\r\nb']
      .slice(1)
      .map((SMS_FROM): (typeof cases)[0] => [
        `SMS from ${JSON.stringify(SMS_FROM)}`,
        { ...sms, SMS_FROM },
        [
          'SMS_FROM: must be a phone number such as +15005550006, a short code, a name of at most 11 letters, or a messaging service (MG…).',
        ],
      ]),
    ['a mail server with no sender', { SMTP_URL: mail.SMTP_URL }, ['MAIL_FROM: must be set when SMTP_URL is.']],
    ['a sender with no mail server', { MAIL_FROM: mail.MAIL_FROM }, ['SMTP_URL: must be set when MAIL_FROM is.']],
    [
      'a mail server by another protocol',
      { ...mail, SMTP_URL: 'https://canary@mail.example.com' },
      ['SMTP_URL: must be an address such as smtp://user:password@mail.example.com:587.'],
    ],
    [
      'a mail server with options',
      { ...mail, SMTP_URL: 'smtp://mail.example.com?tls.rejectUnauthorized=false' },
      ['SMTP_URL: must be an address without query or fragment.'],
    ],
    ...['nowhere', 'A <nowhere>', 'a@example.com, b@example.com', 'A <a@example.com>\r\nBcc: b@example.com'].map(
      (MAIL_FROM): (typeof cases)[0] => [
        `mail from ${JSON.stringify(MAIL_FROM)}`,
        { ...mail, MAIL_FROM },
        ['MAIL_FROM: must be an e-mail address, or a name with one: Example <no-reply@example.com>.'],
      ],
    ),
  );

  const openId = {
    SERVICE_OIDC_ISSUER: 'https://login.example.com/realms/staff',
    SERVICE_OIDC_CLIENT_ID: 'console',
    SERVICE_OIDC_CLIENT_SECRET: 'canary',
  };
  cases.push(
    ['an OpenID provider', openId, []],
    ['one with all there is to say', { ...openId, SERVICE_OIDC_ROLE_CLAIM: 'realm_access.roles', SERVICE_OIDC_VIEWERS: 'a b, c' }, []],
    ['one on this machine', { ...openId, SERVICE_OIDC_ISSUER: 'http://localhost:8080' }, []],
    ['one that is asked for refresh tokens', { ...openId, SERVICE_OIDC_SCOPES: 'openid profile offline_access' }, []],
    ['scopes without openid', { ...openId, SERVICE_OIDC_SCOPES: 'profile' }, ['SERVICE_OIDC_SCOPES: must include openid.']],
    [
      'scopes with commas and spaces',
      { ...openId, SERVICE_OIDC_SCOPES: 'openid,  "a"' },
      ['SERVICE_OIDC_SCOPES: must be scopes separated by spaces.'],
    ],
    ['one beside an address on this machine', { ...openId, SERVICE_PUBLIC_URL: 'http://127.0.0.1:4010' }, []],
    ...Object.keys(openId).map((name): (typeof cases)[0] => [
      `an OpenID provider without ${name}`,
      { ...openId, [name]: '' },
      [`${name}: must be set when ${Object.keys(openId).find((other) => other !== name)} is.`],
    ]),
    [
      'roles and no provider',
      { SERVICE_OIDC_VIEWERS: 'staff' },
      Object.keys(openId).map((name) => `${name}: must be set when SERVICE_OIDC_VIEWERS is.`),
    ],
    [
      'a provider in the clear',
      { ...openId, SERVICE_OIDC_ISSUER: 'http://login.example.com' },
      ['SERVICE_OIDC_ISSUER: must be an https address, unless it is on this machine.'],
    ],
    ...['https://a:canary@login.example.com', 'https://login.example.com?tenant=canary'].map((SERVICE_OIDC_ISSUER): (typeof cases)[0] => [
      `a provider at ${SERVICE_OIDC_ISSUER}`,
      { ...openId, SERVICE_OIDC_ISSUER },
      ['SERVICE_OIDC_ISSUER: must be an address without credentials, query or fragment.'],
    ]),
    [
      'a provider that is none',
      { ...openId, SERVICE_OIDC_ISSUER: 'login' },
      ['SERVICE_OIDC_ISSUER: must be an address such as https://login.example.com.'],
    ],
    [
      'a service in the clear beside a provider',
      { ...openId, SERVICE_PUBLIC_URL: 'http://verify.example.com' },
      ['SERVICE_PUBLIC_URL: must be an https address when SERVICE_OIDC_ISSUER is set, unless it is on this machine.'],
    ],
    [
      'no values',
      { ...openId, SERVICE_OIDC_OPERATORS: ' , ' },
      ['SERVICE_OIDC_OPERATORS: must name values of the role claim, separated by commas.'],
    ],
    ['no days to keep requests', { SERVICE_RETENTION_DAYS: '0' }, ['SERVICE_RETENTION_DAYS: must be a number of days, 1 to 9999.']],
    ['no days', { SERVICE_ACCESS_LOG_DAYS: '0' }, ['SERVICE_ACCESS_LOG_DAYS: must be a number of days, 1 to 9999.']],
    ['another word for yes', { SERVICE_RETURNS_LINKS: 'yes' }, ['SERVICE_RETURNS_LINKS: must be true or false.']],
    [
      'a host with a port',
      { SERVICE_HOSTS: 'service.internal, other:4010' },
      ['SERVICE_HOSTS: must be host names such as service.internal, without ports, separated by commas.'],
    ],
  );

  for (const [value, expected] of [
    ['true', true],
    ['false', false],
    ['', undefined],
  ] as const)
    it(`leave it to the mode whether links are returned, unless they say so: ${value || 'nothing'}`, () => {
      const settings = readServiceSettings({ SERVICE_RETURNS_LINKS: value });
      assert.equal(optionsOf(settings, makeLog('silent')).returnsLinks, expected);
    });

  it('keep the values of roles as they are written', () => {
    const { SERVICE_OIDC_OPERATORS, SERVICE_OIDC_VIEWERS, SERVICE_OIDC_ROLE_CLAIM } = readServiceSettings({
      ...openId,
      SERVICE_OIDC_OPERATORS: 'Console Operators, /staff/admins',
    });
    assert.deepEqual(SERVICE_OIDC_OPERATORS, ['Console Operators', '/staff/admins']);
    assert.deepEqual([SERVICE_OIDC_VIEWERS, SERVICE_OIDC_ROLE_CLAIM], [['countersign-viewer'], 'roles']);
  });

  for (const [what, environment, lines] of cases) {
    it(`${lines.length === 0 ? 'take' : 'refuse, by name,'} ${what}`, () => assert.deepEqual(linesOf(environment), lines));
  }

  const inProduction: [string, Record<string, string>, string[]][] = [
    [
      'production with nothing set',
      { NODE_ENV: 'production' },
      ['SERVICE_CATALOGUE', 'SERVICE_PUBLIC_URL', 'SMS_GATEWAY_URL', 'TRUSTED_PROXIES'],
    ],
    [
      'production in the clear, paid in a sandbox',
      {
        NODE_ENV: 'production',
        SERVICE_CATALOGUE: demoCatalogue,
        SERVICE_PUBLIC_URL: 'http://verify.example.com',
        TRUSTED_PROXIES: '1',
        SMTP_URL: 'smtp://mail.example.com',
        MAIL_FROM: 'no-reply@example.com',
      },
      ['SERVICE_PUBLIC_URL', 'SERVICE_PAYMENT_GATEWAY'],
    ],
    [
      'production with secrets that can be tried out',
      {
        NODE_ENV: 'production',
        SERVICE_CATALOGUE: demoCatalogue,
        SERVICE_PUBLIC_URL: 'https://verify.example.com',
        TRUSTED_PROXIES: '1',
        SMTP_URL: 'smtp://mail.example.com',
        MAIL_FROM: 'no-reply@example.com',
        SERVICE_SECRET_KEY: 'k'.repeat(31),
        SERVICE_PAYMENT_GATEWAY: 'http',
        SERVICE_GATEWAY_URL: 'https://payments.example.com',
        SERVICE_GATEWAY_SECRET: 's'.repeat(31),
      },
      ['SERVICE_SECRET_KEY', 'SERVICE_GATEWAY_SECRET'],
    ],
  ];
  const paid = {
    NODE_ENV: 'production',
    SERVICE_CATALOGUE: demoCatalogue,
    SERVICE_PUBLIC_URL: 'https://verify.example.com',
    TRUSTED_PROXIES: '1',
    SERVICE_SECRET_KEY: 'k'.repeat(32),
    SMS_GATEWAY_URL: 'https://sms.example.com',
    SMS_ACCOUNT_SID: 'AC1',
    SMS_AUTH_TOKEN: 't'.repeat(32),
    SMS_FROM: '+12025550100',
  };
  const toConnector = { SERVICE_PAYMENT_GATEWAY: 'http', SERVICE_GATEWAY_SECRET: 's'.repeat(32) };
  const toStripe = { SERVICE_PAYMENT_GATEWAY: 'stripe', STRIPE_SECRET_KEY: 's'.repeat(32), STRIPE_WEBHOOK_SECRET: 'w'.repeat(32) };
  inProduction.push(
    [
      'production paid by a connector in the clear',
      { ...paid, ...toConnector, SERVICE_GATEWAY_URL: 'http://payments.example.com' },
      ['SERVICE_GATEWAY_URL'],
    ],
    [
      'production with secrets of Stripe and of a gateway for messages that can be tried out',
      { ...paid, ...toStripe, STRIPE_SECRET_KEY: 's'.repeat(31), STRIPE_WEBHOOK_SECRET: 'w'.repeat(31), SMS_AUTH_TOKEN: 't'.repeat(31) },
      ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'SMS_AUTH_TOKEN'],
    ],
  );
  for (const [what, environment] of [
    ['Stripe', toStripe],
    ['a connector on this machine', { ...toConnector, SERVICE_GATEWAY_URL: 'http://127.0.0.1:8080/checkout' }],
    ['a connector', { ...toConnector, SERVICE_GATEWAY_URL: 'https://payments.example.com' }],
  ] as const)
    it(`accept production with payments by ${what}`, () => assert.deepEqual(linesOf({ ...paid, ...environment }), []));
  for (const [what, environment, names] of inProduction) {
    it(`refuse ${what}, naming ${names.join(' and ')}`, () =>
      assert.deepEqual(
        linesOf(environment).map((line) => line.split(':')[0]),
        names,
      ));
  }

  it('ignore those of the bot', () =>
    assert.deepEqual(linesOf({ MicrosoftAppPassword: 'x', FORMS_FILE: '/nowhere', MENU_FILE: '/nowhere', TEAMS_PHONE: 'graph' }), []));
});
