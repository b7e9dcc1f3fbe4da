// Can people sign in at the console?
import { examineProvider, type OpenIdSettings } from '../../service/index.ts';
import { type Finding, ok, wrong } from './finding.ts';

const faults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there. Is the provider running, and is SERVICE_OIDC_ISSUER its address?',
  ENOTFOUND: 'its name cannot be resolved. Check the host in SERVICE_OIDC_ISSUER.',
  OAUTH_TIMEOUT: 'it did not answer in time. Can this machine reach it?',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'it has no OpenID configuration there. Check the path in SERVICE_OIDC_ISSUER.',
  OAUTH_RESPONSE_IS_NOT_JSON: 'what answers there is no OpenID provider. Check SERVICE_OIDC_ISSUER.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it calls itself by another name. Set SERVICE_OIDC_ISSUER to its “issuer”, to the letter.',
  other_issuer: 'it calls itself by another name. Set SERVICE_OIDC_ISSUER to its “issuer”, to the letter.',
};

/** Asks the provider what it is. Whether it knows the client shows only when somebody signs in. */
export const checkSignIn = async (settings: OpenIdSettings): Promise<Finding> => {
  const { fault } = await examineProvider(settings);
  const host = new URL(settings.issuer).host;
  if (fault === undefined) return ok(`${host} answers, and is the provider that the settings name.`);
  return wrong(`${host}: ${faults[fault] ?? `it cannot be used (${fault}).`}`);
};
