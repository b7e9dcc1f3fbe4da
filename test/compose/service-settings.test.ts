import assert from 'node:assert/strict';
import { readSettings } from '../../src/compose/settings.ts';
import { SettingsError } from '../../src/platform/settings-error.ts';

const linesOf = (environment: Record<string, string>) => {
  try {
    readSettings(environment);
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
  it('are not asked for where the service is not started', () => {
    const elsewhere = { SERVICE_BASE_URL: 'https://service.example.com', SERVICE_SECRET_KEY: 'sk_1' };
    assert.deepEqual(linesOf({ ...stripe, ...elsewhere }), []);
  });

  for (const [what, environment, lines] of cases) {
    it(`${lines.length === 0 ? 'take' : 'refuse, by name,'} ${what}`, () => assert.deepEqual(linesOf(environment), lines));
  }
});
