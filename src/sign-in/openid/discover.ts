// Discovers an OpenID provider by its issuer, over connections with limits on time and size.
import type { Configuration, CustomFetch } from 'openid-client';
import { Agent, fetch } from 'undici';
import { isLoopbackHost } from '../../platform/outgoing/loopback.ts';
import type { OpenIdClient } from '../../platform/settings/openid.ts';

/** How long (s) the provider may take for one answer. */
const patience = 5;
const largestAnswer = 512 * 1024;

/** The provider at this address is not the one that the settings name. */
class OtherIssuer extends Error {
  override readonly name = 'OtherIssuer';
  readonly code = 'other_issuer';
}

/** Connections to the provider; the caller destroys them. */
export const makeProviderAgent = () =>
  new Agent({ allowH2: false, connect: { timeout: patience * 1000 }, connections: 8, maxResponseSize: largestAnswer });

/** @throws {OtherIssuer}, and the errors of openid-client when the provider does not answer, or not as one. */
export const discover = async (
  { issuer, clientId, clientSecret }: Pick<OpenIdClient, 'clientId' | 'clientSecret' | 'issuer'>,
  dispatcher: Agent,
): Promise<Configuration> => {
  const openid = await import('openid-client');
  const address = new URL(issuer);
  const ask: CustomFetch = (url, options) =>
    fetch(url, { ...options, dispatcher } as Parameters<typeof fetch>[1]) as unknown as Promise<Response>;
  const [basic, post] = [openid.ClientSecretBasic(clientSecret), openid.ClientSecretPost(clientSecret)];
  const configuration = await openid.discovery(
    address,
    clientId,
    clientSecret,
    // The default for providers that do not specify it (OpenID Connect Discovery 1.0, section 3), and the method that
    // most clients are registered for.
    (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: taken = ['client_secret_basic'] } = server;
      return (taken.includes('client_secret_basic') ? basic : post)(server, ...rest);
    },
    {
      timeout: patience,
      [openid.customFetch]: ask,
      execute: [
        // By default the ID token is trusted because of its connection; this checks its signature instead.
        openid.enableNonRepudiationChecks,
        ...(address.protocol === 'http:' && isLoopbackHost(address.hostname) ? [openid.allowInsecureRequests] : []),
      ],
    },
  );
  // The library lets one issuer stand for all tenants of a provider, any of which could grant its people a role here.
  if (new URL(configuration.serverMetadata().issuer).href !== address.href) throw new OtherIssuer();
  return configuration;
};
