// Where customers' devices reach the service, as the setting says.
import { SettingsError } from '../platform/settings-error.ts';

/** @throws {SettingsError} */
export const publicUrlOf = (setting: string): URL => {
  const url = URL.parse(setting);
  if (url && (url.protocol === 'https:' || url.protocol === 'http:')) return url;
  throw new SettingsError(['SERVICE_PUBLIC_URL: must be an http or https address, for example https://verify.example.com.']);
};
