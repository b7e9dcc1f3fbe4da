// For the doctor: checks the console's OpenID provider without signing anybody in.

import { type Finding, ok, wrong } from '../../../platform/process/finding.ts';
import type { Environment } from '../../../platform/settings/environment.ts';
import { ownValue } from '../../../platform/text/own-value.ts';
import { discover, makeProviderAgent } from '../../../sign-in/openid/discover.ts';
import { readRefusal } from '../../../sign-in/openid/refusal.ts';
import { type OpenIdSettings, readOpenId } from './settings.ts';

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there. Is the provider running, and is SERVICE_OIDC_ISSUER its address?',
  ENOTFOUND: 'its name cannot be resolved. Check the host in SERVICE_OIDC_ISSUER.',
  OAUTH_TIMEOUT: 'it did not answer in time. Can this machine reach it?',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it has no OpenID configuration there. Check the path in SERVICE_OIDC_ISSUER.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'what answers there is no OpenID provider. Check SERVICE_OIDC_ISSUER.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it calls itself by another name. Set SERVICE_OIDC_ISSUER to its “issuer”, to the letter.',
  other_issuer: 'it calls itself by another name. Set SERVICE_OIDC_ISSUER to its “issuer”, to the letter.',
};

/** Fetches the provider's metadata. Whether it knows the client shows only when a user signs in. */
const checkSignIn = async (settings: OpenIdSettings): Promise<Finding> => {
  const agent = makeProviderAgent();
  const host = new URL(settings.issuer).host;
  try {
    await discover(settings, agent);
    return ok(`${host} answers, and is the provider that the settings name.`);
  } catch (fault) {
    const { code } = await readRefusal(fault);
    return wrong(`${host}: ${ownValue(faults, code) ?? `it cannot be used (${code}).`}`);
  } finally {
    await agent.destroy();
  }
};

/** Checks the provider in an environment's settings; `undefined` if there is none. @throws {SettingsError} */
export const examineConsole = async (environment: Environment): Promise<Finding | undefined> => {
  const settings = readOpenId(environment);
  return settings && checkSignIn(settings);
};
