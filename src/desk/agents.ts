// Who somebody at the desk is: a subject of a provider. A name and a verified e-mail address are for people to read.
import type { Agent, HandoffRecord } from '../handoff/index.ts';
import { sha256 } from '../platform/secrets/sealing.ts';
import { type Claims, nameIn, verifiedEmail } from '../sign-in/openid/claims.ts';
import type { Session } from '../sign-in/session-store.ts';

/** Results name agents in up to this many characters. */
const longestId = 320;

/**
 * The issuer and its subject identify somebody (OpenID Connect Core, 5.7); an address or a name does not.
 * @param issuer - for claims without one
 */
export const agentIn = (claims: Claims, issuer: string): Pick<Session, 'email' | 'person' | 'subject'> => {
  const { iss = issuer, sub } = claims;
  const whole = `${iss}#${encodeURIComponent(String(sub).toWellFormed())}`;
  const subject = whole.length <= longestId ? whole : `urn:sha256:${sha256(whole).toString('hex')}`;
  const email = verifiedEmail(claims);
  const person = nameIn(claims, ['name', 'preferred_username'], 80) ?? email ?? nameIn(claims, ['sub'], 80) ?? subject;
  return { person, subject, ...(email !== undefined && { email }) };
};

/** An agent as results name them: by the verified address, if there is one. */
export const agentIdOf = ({ email, id }: Agent): string => email ?? id;

/**
 * Whether a conversation is an agent's. At another platform the agent has another identity, and a verified address in
 * common.
 */
export const owns = ({ email, id }: Agent, { agent }: Pick<HandoffRecord, 'agent'>): boolean =>
  agent !== undefined && (agent.id === id || (agent.email !== undefined && agent.email === email));
