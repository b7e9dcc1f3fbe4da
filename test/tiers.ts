// Which tests run when. A file belongs to the tier that names it, or else to the tier that names its folder;
// test/tiers.test.ts checks that every file has one. The first in a list start first: long ones, so that nobody waits
// for them at the end. It is a list, and not marks in the files, because it is read at a glance and moves with one line.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const tiers = {
  /** While editing, in a minute or two: no Postgres, no browser. */
  fast: [
    // It waits for half a minute, on and off, for hubs that are slow or away.
    'handoff/conformance.test.ts',
    'verification/model.test.ts',
    'handoff',
    'dialogs',
    'interactions',
    'compose',
    'guests',
    'own-cards',
    'cards',
    'architecture',
    'client',
    'storage',
    'directline',
    'bot',
    'platform',
    'sign-in',
    'verification',
    'programs',
    'documents/documents.test.ts',
    'packages/sdk.test.ts',
    'tiers.test.ts',
  ],
  /** Every feature once: `npm test` runs these and the fast ones. One browser conversation for each app. */
  default: [
    // Its further cases are the longest of the deep tests' second run.
    'handoff/chatwoot-model.test.ts',
    'apps',
    'desk',
    'browser/document-signature.test.ts',
    'browser/e-form.test.ts',
    'browser/one-time-passcode.test.ts',
    'browser/passkeys.test.ts',
    'browser/payments.test.ts',
    'main/start.test.ts',
    'main',
    'web',
    'azure-direct-line',
    'teams/conversation.test.ts',
    'voice',
    'flows',
    'dialogs/hostile-texts.test.ts',
    'skill',
    'compose/recipes.test.ts',
    'testing',
    'flow-engine',
    'releases',
    'mcp',
    'connector',
    'designer',
    'gallery',
    'service',
    // Postgres-only behaviour.
    'bot/turns/shared-turn-lock.test.ts',
    'directline/shared-streams.test.ts',
    'platform/database/postgres.test.ts',
    'platform/database/postgres-bus.test.ts',
    'storage/replicas.test.ts',
    'storage/shared-replica.test.ts',
    'handoff/replicas.test.ts',
    'handoff/lost-words.test.ts',
  ],
  /**
   * Rare faults, several processes, matrices of faults, hostile texts, looks and languages, packages. And the service's
   * tests on Postgres.
   */
  deep: [
    'faults',
    'features',
    'flows/bad-service.test.ts',
    'flows/alike.test.ts',
    'flows/bad-customer.test.ts',
    'flows/full-disk.test.ts',
    'flows/hostile-endpoint.test.ts',
    'packages',
    'documents',
    'cards/web-chat.test.ts',
    'gallery/looks.test.ts',
    'service/core/device/hostile-pages.test.ts',
    'examples',
    'browser',
    'teams',
    'cluster',
    'demo',
    'desk/load.test.ts',
    'handoff/canaries.test.ts',
    'siege',
    'bench',
    'architecture/sixth-app.test.ts',
    'architecture/removable.test.ts',
    'architecture/regular-expressions.test.ts',
    'desk/panel.test.ts',
    // interactions/lifetime.test.ts shows the same without a chat.
    'flows/lifetime.test.ts',
    'flow-engine/kills.test.ts',
    'flow-engine/mutants.test.ts',
    'flow-engine/random.test.ts',
    'mcp/inspector.test.ts',
    'main/stop.test.ts',
    'main/parents.test.ts',
    'main/two-parts.test.ts',
    'web/themed-chat.test.ts',
    'desk/access.test.ts',
    'desk/hostile.test.ts',
    'desk/picture.test.ts',
    'service/replicas.test.ts',
    'service/core/messages/hostile-messages.test.ts',
    'service/core/websocket/siege.test.ts',
    // Pages of the service in a browser: both colour schemes, several widths, both directions, magnified, by keyboard.
    'service/console/pages.test.ts',
    'service/console/sign-in-pages.test.ts',
    'service/core/device/weight.test.ts',
    'service/core/pages/direction.test.ts',
    'service/e-form/form-page.test.ts',
    'service/core/device/kept-answers.test.ts',
    'service/core/pages/magnified-pages.test.ts',
    'service/delivery/mail-looks.test.ts',
    'service/core/device/open-pages.test.ts',
    'service/core/pages/pages.test.ts',
    'service/passkeys/passkey-page.test.ts',
    'service/payments/payment-pages.test.ts',
    'service/document-signature/signing-pages.test.ts',
    'service/core/pages/theme-links.test.ts',
    'service/core/pages/theme.test.ts',
  ],
} as const;

export type Tier = keyof typeof tiers;

export const root = join(import.meta.dirname, '..');

/** The place of a file in the lists: by its own name, or else by its folder's. */
const placeOf = (file: string): { readonly tier: Tier; readonly index: number } | undefined => {
  const place = (name: string) =>
    (Object.keys(tiers) as Tier[])
      .map((tier) => ({ tier, index: (tiers[tier] as readonly string[]).indexOf(name) }))
      .find(({ index }) => index >= 0);
  return place(file) ?? place(file.split('/')[0] as string);
};

/** The tier of a file, as a path below `test/`; undefined if none names it. */
export const tierOf = (file: string): Tier | undefined => placeOf(file)?.tier;

/** Every test file, as a path below `test/`. */
export const testFiles = (): string[] => globSync('**/*.test.ts', { cwd: join(root, 'test') }).sort();

/** The files of a tier, in the order of its list. */
export const filesOf = (tier: Tier): string[] => {
  const index = (file: string) => placeOf(file)?.index ?? 0;
  return testFiles()
    .filter((file) => tierOf(file) === tier)
    .sort((one, other) => index(one) - index(other));
};

/** What they store goes into tables that other files of the second run read and write on Postgres too. */
const onSqliteAlone = [
  'service/console/openid/',
  'service/delivery/',
  'service/core/test-numbers.test.ts',
  'service/core/api/requests.test.ts',
  'service/e-form/answers.test.ts',
  'service/core/lifecycle/strangers.test.ts',
  'service/payments/payments.test.ts',
];

const textOf = (file: string) => readFileSync(join(root, 'test', file), 'utf8');

/** Tests of the service that `npm test` runs on SQLite only; the deep tests run the same files on Postgres. */
export const onBothDatabases = (): string[] =>
  filesOf('default').filter((file) => !onSqliteAlone.some((name) => file.startsWith(name)) && textOf(file).includes('onEachDatabase('));

/** Files of which `npm test` leaves further cases to the deep tests: they have some, or use a suite that has. */
export const withFurtherCases = (): string[] => {
  const further = /\bit(?:Further|Sample)\(/;
  const suites = globSync('support/*.ts', { cwd: join(root, 'test') }).filter((file) => further.test(textOf(file)));
  return [...filesOf('default'), ...filesOf('fast')].filter((file) => {
    const text = textOf(file);
    return further.test(text) || suites.some((suite) => text.includes(`/${suite}'`));
  });
};
