// Proof that an activity comes from the Bot Connector service (learn.microsoft.com, "Authenticate requests from the Bot
// Connector service").
import type { JWTPayload } from 'jose';
import { type KeyReading, makeSignatureCheck, tokenIn, unauthorized } from './signing-keys.ts';

/** The public cloud's Bot Connector: where it publishes its keys, and its issuer. */
const botConnector = {
  issuer: 'https://api.botframework.com',
  metadataUrl: 'https://login.botframework.com/v1/.well-known/openidconfiguration',
} as const;

export type ChannelTokenCheck = ReturnType<typeof makeChannelTokenCheck>;

/**
 * Returns the claims of an `Authorization` header that vouches for the activity. Checks the rules for all tokens, the
 * serviceUrl claim and the key's endorsement of the channel. Stricter than the stock check on purpose (decision 0004):
 * tokens of emulators and other tenants are refused.
 * @param appId - ours: the audience that every token must have
 * @throws {HttpProblem} 401 with the same text for every fault of the token; 503 when the keys cannot be read now.
 */
export const makeChannelTokenCheck = ({
  appId,
  issuer = botConnector.issuer,
  metadataUrl = botConnector.metadataUrl,
  ...reading
}: KeyReading & { readonly appId: string } & { readonly [Name in keyof typeof botConnector]?: string }) => {
  const check = makeSignatureCheck(metadataUrl, reading);
  return async (
    authorization: string,
    { channelId, serviceUrl }: { readonly channelId: string; readonly serviceUrl: string },
  ): Promise<JWTPayload> => {
    const token = tokenIn(authorization);
    if (!token) throw unauthorized();
    const { claims, endorsements } = await check(token, { issuer, audience: appId, requiredClaims: ['exp', 'serviceurl'] });
    if (claims.serviceurl !== serviceUrl || (endorsements.length > 0 && !endorsements.includes(channelId))) throw unauthorized();
    return claims;
  };
};
