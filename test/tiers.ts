// Which tests run when. A file belongs to the tier that names it, or else to the tier that names its folder; test/tiers.test.ts sees to it that
// every file has one. What stands first begins first: the long ones, so that nobody waits for them in the end.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const tiers = {
  /** While editing, in under a minute: no Postgres, no browser. */
  fast: [
    'interactions',
    'client',
    'dialogs',
    'verification',
    'handoff',
    'compose',
    'bot',
    'directline',
    'storage',
    'platform',
    'cards',
    'architecture',
    'documents/documents.test.ts',
    'tiers.test.ts',
  ],
  /** Every feature once: these and the fast ones are `npm test`. Of the browser one conversation for each app. */
  default: [
    'apps',
    'browser/document-signature.test.ts',
    'browser/e-form.test.ts',
    'browser/one-time-passcode.test.ts',
    'browser/passkeys.test.ts',
    'browser/payments.test.ts',
    'main.test.ts',
    'main',
    'web',
    'flows',
    'service',
    // What only Postgres does.
    'bot/shared-turn-lock.test.ts',
    'directline/shared-streams.test.ts',
    'platform/postgres.test.ts',
    'platform/postgres-bus.test.ts',
    'storage/replicas.test.ts',
    'handoff/replicas.test.ts',
  ],
  /** Rare faults, several processes, matrices of faults, hostile texts, looks and languages, packages. And what the service does on Postgres. */
  deep: [
    'faults',
    'cluster',
    'siege',
    'bench',
    'documents',
    'packages',
    'examples',
    'sixth-app.test.ts',
    'flows/bad-service.test.ts',
    'flows/alike.test.ts',
    'service/replicas.test.ts',
    'browser',
    'cards/web-chat.test.ts',
    'service/hostile-messages.test.ts',
    'service/hostile-pages.test.ts',
    'service/websocket-siege.test.ts',
    // Pages of the service in a browser: both colour schemes, several widths, both directions, magnified, by keyboard.
    'service/console-pages.test.ts',
    'service/console-sign-in-pages.test.ts',
    'service/device-weight.test.ts',
    'service/direction.test.ts',
    'service/form-page.test.ts',
    'service/magnified-pages.test.ts',
    'service/mail-looks.test.ts',
    'service/open-pages.test.ts',
    'service/pages.test.ts',
    'service/passkey-page.test.ts',
    'service/payment-pages.test.ts',
    'service/signing-pages.test.ts',
    'service/theme-links.test.ts',
    'service/theme.test.ts',
  ],
} as const;

export type Tier = keyof typeof tiers;

export const root = join(import.meta.dirname, '..');

/** Where a file stands in the lists: by its own name, or else by its folder's. */
const placeOf = (file: string): { readonly tier: Tier; readonly index: number } | undefined => {
  const place = (name: string) =>
    (Object.keys(tiers) as Tier[])
      .map((tier) => ({ tier, index: (tiers[tier] as readonly string[]).indexOf(name) }))
      .find(({ index }) => index >= 0);
  return place(file) ?? place(file.split('/')[0] as string);
};

/** The tier of a file, named from `test/`; undefined where none names it. */
export const tierOf = (file: string): Tier | undefined => placeOf(file)?.tier;

/** Every file of tests, named from `test/`. */
export const testFiles = (): string[] => globSync('**/*.test.ts', { cwd: join(root, 'test') }).sort();

/** The files of a tier, in the order of its list. */
export const filesOf = (tier: Tier): string[] => {
  const index = (file: string) => placeOf(file)?.index ?? 0;
  return testFiles()
    .filter((file) => tierOf(file) === tier)
    .sort((one, other) => index(one) - index(other));
};

/** What `npm test` tries of the service on SQLite alone is tried on Postgres with the deep tests, in the same files. */
export const onBothDatabases = (): string[] =>
  filesOf('default').filter((file) => readFileSync(join(root, 'test', file), 'utf8').includes('onEachDatabase('));
