// Proof that an activity comes from a root bot that the operator has named (learn.microsoft.com, "Skill consumer and
// skill authentication"): Microsoft Entra signed it for that bot's app id, with this bot as the audience.
import { decodeJwt } from 'jose';
import type { SkillCaller } from '../../platform/root-bot.ts';
import { onHosts } from '../envelope.ts';
import { allowedCallersClaimsValidator, JwtTokenValidation, SkillValidation } from '../sdk.ts';
import { type KeyReading, makeSignatureCheck, tokenIn, unauthorized } from './signing-keys.ts';

/** The public cloud's tenant of bots that serve every organisation. */
const botFrameworkTenant = 'd6d49420-f39b-4df7-a1dc-d59a935871db';

/** Where Microsoft Entra publishes the keys of its tokens, including those of any tenant. */
const publicKeys = 'https://login.microsoftonline.com/botframework.com/v2.0/.well-known/openid-configuration';

/** The issuers of a tenant's tokens: of the first version, and of the second. */
const issuersOf = (tenant: string) => [`https://sts.windows.net/${tenant}/`, `https://login.microsoftonline.com/${tenant}/v2.0`];

export type SkillTokenCheck = ReturnType<typeof makeSkillTokenCheck>;

/**
 * @param appId - ours: the audience that every token must have
 * @param tenant - that of a bot that serves one organisation: root bots of that organisation sign there
 */
export const makeSkillTokenCheck = (
  appId: string,
  callers: readonly SkillCaller[],
  tenant: string | undefined,
  { metadataUrl = publicKeys, ...reading }: KeyReading & { readonly metadataUrl?: string },
) => {
  const checkSignature = makeSignatureCheck(metadataUrl, reading);
  const issuer = [botFrameworkTenant, ...(tenant === undefined ? [] : [tenant])].flatMap(issuersOf);
  const isNamed = allowedCallersClaimsValidator(callers.map((caller) => caller.appId));
  return {
    /** Whether a token claims to be one of these. That proves nothing. */
    isFor: (authorization: string): boolean => {
      const token = tokenIn(authorization);
      try {
        return token !== undefined && issuer.includes(decodeJwt(token).iss ?? '');
      } catch {
        // Not a token from a root bot: the check for channels refuses it.
        return false;
      }
    },
    /**
     * The root bot that sent the activity, which has proved who it is.
     * @throws {HttpProblem} 401 with the same text for every fault of the token, for a bot that is not named, and for
     * answers to a host other than that bot's; 503 if the keys cannot be read now.
     */
    check: async (authorization: string, { serviceUrl }: { readonly serviceUrl: string }) => {
      const { claims } = await checkSignature(tokenIn(authorization) ?? '', { issuer, audience: appId, requiredClaims: ['exp', 'ver'] });
      const listed = Object.entries(claims).map(([type, value]) => ({ type, value: String(value) }));
      // The validator passes tokens that are not a skill's, such as our own replayed to us.
      if (!SkillValidation.isSkillClaim(listed)) throw unauthorized();
      await isNamed(listed).catch(() => {
        throw unauthorized();
      });
      const root = JwtTokenValidation.getAppIdFromClaims(listed);
      if (!answersOf(callers, root)(serviceUrl)) throw unauthorized();
      return { appId: root, claims };
    },
  };
};

/** The service URLs at which a root bot accepts answers. */
export const answersOf = (callers: readonly SkillCaller[], appId: string) =>
  onHosts(callers.flatMap((caller) => (caller.appId === appId ? [caller.host] : [])));
