// Finding an OpenID provider by its issuer, over connections that give up in time and take no endless answers.
import type { Configuration, CustomFetch } from 'openid-client';
import { Agent, fetch } from 'undici';
import { isLoopbackHost } from '../../loopback.ts';
import type { OpenIdClient } from './settings.ts';

/** How long (s) the provider may take over one answer. */
const patience = 5;
const largestAnswer = 512 * 1024;

/** The provider there is another one than the settings name. */
class OtherIssuer extends Error {
  override readonly name = 'OtherIssuer';
  readonly code = 'other_issuer';
}

/** Connections to the provider; the caller destroys them. */
export const makeProviderAgent = () =>
  new Agent({ allowH2: false, connect: { timeout: patience * 1000 }, connections: 8, maxResponseSize: largestAnswer });

/** @throws {OtherIssuer}, and whatever openid-client throws of a provider that does not answer, or not as one. */
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
    // The default where providers do not say (OpenID Connect Discovery 1.0, section 3), and what most clients are
    // registered for.
    (server, ...rest) => {
      const { token_endpoint_auth_methods_supported: taken = ['client_secret_basic'] } = server;
      return (taken.includes('client_secret_basic') ? basic : post)(server, ...rest);
    },
    {
      timeout: patience,
      [openid.customFetch]: ask,
      execute: [
        // By default the ID token is believed for the connection it came over; it is signed, so that it need not be.
        openid.enableNonRepudiationChecks,
        ...(address.protocol === 'http:' && isLoopbackHost(address.hostname) ? [openid.allowInsecureRequests] : []),
      ],
    },
  );
  // The library lets one issuer stand for all tenants of a provider, any of which could grant its people a role here.
  if (new URL(configuration.serverMetadata().issuer).href !== address.href) throw new OtherIssuer();
  return configuration;
};
