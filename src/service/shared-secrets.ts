// What all replicas of the service must have alike. Alone, it makes its own secrets and keeps them in its folder; replicas share no folder.
import { SettingsError } from '../platform/settings-error.ts';
import type { ServiceOptions } from './options.ts';

/** @throws {SettingsError} a line for each secret that was not given, where replicas could otherwise end up with one each. */
export const refuseUnshared = ({ databaseUrl, pepper, secretKey, signing }: ServiceOptions): void => {
  if (databaseUrl === undefined) return;
  const missing = [
    ...(secretKey === undefined ? ['SERVICE_SECRET_KEY'] : []),
    ...(pepper === undefined ? ['SERVICE_PEPPER'] : []),
    ...(signing === undefined ? ['SERVICE_SIGNING_KEY', 'SERVICE_SIGNING_CERTIFICATE'] : []),
  ];
  if (missing.length > 0) throw new SettingsError(missing.map((name) => `${name}: must be set when SERVICE_DATABASE_URL is.`));
};
