// WebAuthn's two ceremonies: the options for the browser, and the verification of its answer.

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { readJson } from '../../platform/http/bounded-json.ts';
import { faultFields } from '../../platform/log.ts';
import type { ServiceContext } from '../core/context.ts';
import type { NewPasskey, Passkey, Use } from './store.ts';

/** Ed25519, ES256, RS256: the algorithms of common authenticators (IANA COSE algorithms). */
const algorithms = [-8, -7, -257];

const base64url = z.string().regex(/^[A-Za-z0-9_-]{1,8192}$/);
const transports = z.array(z.string().max(30)).max(10).optional();
const common = { id: base64url, rawId: base64url, type: z.literal('public-key') };
const created = z.object({ ...common, response: z.object({ clientDataJSON: base64url, attestationObject: base64url, transports }) });
const asserted = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish().transform((handle) => handle ?? undefined),
  }),
});

/** An authenticator's answer; only its shape has been checked. */
export type Creation = z.output<typeof created> & { readonly challenge: string };
export type Assertion = z.output<typeof asserted> & { readonly challenge: string };

export type Ceremony = ReturnType<typeof makeCeremony>;

// Loaded later: it takes longer than starting the whole service, and often no passkey is used.
const webauthn = () => import('@simplewebauthn/server');

/** The public address's host is the relying party's identifier, its origin the only one accepted. */
export const makeCeremony = ({ publicUrl, limits, log }: ServiceContext) => {
  const timeoutMs = limits.passkeys.ceremonyMs;
  /** The library throws when an answer is invalid. Its messages quote the answer, so only the place is logged. */
  const judged = async <Judgement>(judge: () => Promise<Judgement>): Promise<Judgement | undefined> => {
    try {
      return await judge();
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'passkeys', code: 'passkey_refused' }, 'the answer of an authenticator is refused');
      return undefined;
    }
  };
  const expected = (challenge: string) => ({
    expectedChallenge: challenge,
    expectedOrigin: publicUrl().origin,
    expectedRPID: publicUrl().hostname,
    requireUserVerification: true,
  });

  return {
    /**
     * @param person - `party`: the relying party as the device shows it; `handle`: opaque and random (WebAuthn L3, 14.6.1);
     * `account`: the label that the device shows with the passkey
     */
    creationOptions: async (
      { party, handle, account, name: displayName }: Readonly<Record<'account' | 'handle' | 'name' | 'party', string>>,
      challenge: string,
      existing: readonly Passkey[],
    ): Promise<PublicKeyCredentialCreationOptionsJSON> =>
      (await webauthn()).generateRegistrationOptions({
        rpName: party,
        rpID: publicUrl().hostname,
        userID: bytes(handle),
        userName: account,
        userDisplayName: displayName,
        challenge: bytes(challenge),
        timeout: timeoutMs,
        attestationType: 'none',
        excludeCredentials: existing.map(({ id, transports }) => ({ id, transports: JSON.parse(transports) })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
      }),
    // No list of passkeys: the device offers its own, and the holder of the link learns nothing about them. A nearby
    // phone may answer too (hybrid).
    requestOptions: async (challenge: string): Promise<PublicKeyCredentialRequestOptionsJSON> =>
      (await webauthn()).generateAuthenticationOptions({
        rpID: publicUrl().hostname,
        challenge: bytes(challenge),
        timeout: timeoutMs,
        userVerification: 'required',
      }),
    /** Reads a form field; `undefined` if it is not an answer. */
    readCreation: (field: string | undefined): Creation | undefined => withChallenge(read(created, field)),
    readAssertion: (field: string | undefined): Assertion | undefined => withChallenge(read(asserted, field)),
    /** The passkey created for this challenge. `undefined`: the answer is refused, and the log says where. */
    verifyCreation: (creation: Creation): Promise<NewPasskey | undefined> =>
      judged(async () => {
        const { verifyRegistrationResponse } = await webauthn();
        const response: RegistrationResponseJSON = { ...creation, response: stated(creation.response), clientExtensionResults: {} };
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response,
          ...expected(creation.challenge),
          supportedAlgorithmIDs: algorithms,
        });
        if (!verified) return undefined;
        const { credential, credentialBackedUp } = registrationInfo;
        const { id, publicKey, counter } = credential;
        const transports = JSON.stringify(creation.response.transports ?? []);
        return { id, public_key: Buffer.from(publicKey).toString('base64url'), counter, transports, backed_up: credentialBackedUp ? 1 : 0 };
      }),
    /** The signature counter of a valid answer. `undefined`: the answer is refused, and the log says where. */
    verifyAssertion: (assertion: Assertion, { id, public_key }: Passkey): Promise<Pick<Use, 'backed_up' | 'counter'> | undefined> =>
      judged(async () => {
        const { verifyAuthenticationResponse } = await webauthn();
        const response: AuthenticationResponseJSON = { ...assertion, response: stated(assertion.response), clientExtensionResults: {} };
        // The library would check the counter before the signature, so anybody could have a passkey revoked. We check
        // it afterwards.
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response,
          ...expected(assertion.challenge),
          credential: { id, publicKey: bytes(public_key), counter: 0 },
        });
        const { newCounter: counter, credentialBackedUp } = authenticationInfo;
        return verified ? { counter, backed_up: credentialBackedUp ? 1 : 0 } : undefined;
      }),
  };
};

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'));

const read = <Schema extends z.ZodType>(schema: Schema, field: string | undefined): z.output<Schema> | undefined => {
  // Not JSON: a form posted without its script, or by something else.
  const reading = readJson(Buffer.from(field ?? ''), 16);
  return schema.safeParse('value' in reading ? reading.value : undefined).data;
};

const clientData = z.object({ challenge: base64url });

/** The challenge in an answer, as the browser reports it. The signature over it is checked later. */
const withChallenge = <Answer extends { readonly response: { readonly clientDataJSON: string } }>(answer: Answer | undefined) => {
  const written = answer && read(clientData, Buffer.from(answer.response.clientDataJSON, 'base64url').toString('utf8'));
  return answer && written && { ...answer, challenge: written.challenge };
};

/** Without undefined fields, which the library's types do not allow. */
const stated = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]: Exclude<Fields[Name], undefined>;
  };
