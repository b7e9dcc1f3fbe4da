// The account holder's command: opens the answers of a zero-knowledge form with the private key, which the service never has.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { createServiceClient } from '../client/index.ts';
import { ulid } from '../contract/index.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { accountKeyFiles, openSealed, type SealedFault } from '../service/index.ts';
import { serviceAccess } from './service.ts';
import type { Settings } from './settings.ts';
import { uses } from './usage.ts';

const unclear = `Say what to decrypt: ${uses.decrypt.call}`;

const explained = {
  no_sealed_answers: 'This is not the result of a zero-knowledge form with answers.',
  not_for_this_key: 'This private key does not open the answers, or they were changed.',
  of_another_request: 'The answers inside belong to another request than the result says. Somebody has moved them: do not use them.',
} satisfies Record<SealedFault, string>;

/**
 * The answers as JSON text. `what` is a file, or the identifier of a request whose result is read from the service; the key is the demo
 * account's unless another file is named.
 * @throws {SettingsError} saying what is missing or wrong.
 */
export const decrypt = async ([what, keyFile, ...rest]: readonly string[], settings: Settings): Promise<string> => {
  if (what === undefined || rest.length > 0) throw new SettingsError([unclear]);
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

const resultOf = async (requestId: string, settings: Settings): Promise<unknown> => {
  if (!ulid.safeParse(requestId).success) throw new SettingsError([`${requestId} is neither a file nor a request id.`, unclear]);
  const client = createServiceClient(serviceAccess(settings));
  try {
    const result = await client.results.get(requestId);
    if (!result) throw new SettingsError([`There is no result of ${requestId} yet, or no such request.`]);
    return result;
  } catch (cause) {
    if (cause instanceof SettingsError) throw cause;
    throw new SettingsError(
      [`The result of ${requestId} cannot be read from the service (${(cause as { code?: string }).code ?? 'unknown'}).`],
      {
        cause,
      },
    );
  } finally {
    await client.close();
  }
};
