// The account holder's command: opens the answers of a zero-knowledge form with the private key, which the service
// never has.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { z } from 'zod';
import { ulid } from '../../contract/index.ts';
import { keptSecret } from '../../platform/secrets/kept-secret.ts';
import { address, common, type Environment, port, readEnvironment, visible } from '../../platform/settings/environment.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { accountKeyFiles } from '../core/catalogue/account-key.ts';
import { uses } from './command.ts';
import { openSealed, type SealedFault } from './open-sealed.ts';

/** The source of results: the account holder's machine need not be the service's. */
const schema = z.object({
  DATA_DIR: common.DATA_DIR,
  SERVICE_BASE_URL: address(/^https?$/, 'https://service.example.com').optional(),
  SERVICE_PORT: port(4010),
  SERVICE_SECRET_KEY: visible.optional(),
});
type Access = z.output<typeof schema>;

/** Milliseconds for reading a result. */
const patience = 10_000;

const unclear = `Say what to decrypt: ${uses.decrypt.call}`;

const explained = {
  no_sealed_answers: 'This is not the result of a zero-knowledge form with answers.',
  not_for_this_key: 'This private key cannot decrypt the answers, or they were changed.',
  of_another_request: 'The answers inside belong to another request than the result says. Somebody has tampered with it: do not use them.',
} satisfies Record<SealedFault, string>;

/**
 * The answers as JSON text. `what` is a file, or the id of a request whose result is read from the service. The key is
 * the demo account's unless a file is named.
 * @throws {SettingsError} that names what is missing or wrong.
 */
export const decrypt = async ([what, keyFile, ...rest]: readonly string[], environment: Environment): Promise<string> => {
  if (what === undefined || rest.length > 0) throw new SettingsError([unclear]);
  const settings = readEnvironment(schema, environment, () => []);
  const key = readJson(keyFile ?? join(settings.DATA_DIR, accountKeyFiles.private)) as JWK;
  const record = existsSync(what) ? readJson(what) : await resultOf(what, settings);
  const opened = await openSealed(record, key);
  if ('fault' in opened) throw new SettingsError([explained[opened.fault]]);
  return JSON.stringify(opened, null, 2);
};

const readJson = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new SettingsError([`${file} cannot be read as JSON.`], { cause });
  }
};

const resultOf = async (requestId: string, access: Access): Promise<unknown> => {
  if (!ulid.safeParse(requestId).success) throw new SettingsError([`${requestId} is neither a file nor a request id.`, unclear]);
  const { DATA_DIR, SERVICE_BASE_URL = `http://127.0.0.1:${access.SERVICE_PORT}`, SERVICE_SECRET_KEY } = access;
  const key = SERVICE_SECRET_KEY ?? keptSecret(DATA_DIR, 'service.key');
  const refused = (why: string, cause?: unknown) =>
    new SettingsError([`The result of ${requestId} cannot be read from the service (${why}).`], { cause });
  const answer = await fetch(`${SERVICE_BASE_URL.replace(/(?<!\/)\/+$/, '')}/results/${requestId}`, {
    headers: { authorization: `Bearer ${key}` },
    redirect: 'error',
    signal: AbortSignal.timeout(patience),
  }).catch((cause: Error & { cause?: { code?: string } }) => {
    throw refused(cause.cause?.code ?? cause.name, cause);
  });
  if (answer.status === 404) throw new SettingsError([`There is no result for ${requestId} yet, or no such request.`]);
  if (!answer.ok) throw refused(`it answers ${answer.status}`);
  return answer.json().catch((cause: Error) => {
    throw refused('its answer is not JSON', cause);
  });
};
