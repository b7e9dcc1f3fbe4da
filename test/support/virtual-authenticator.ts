// Chromium's own virtual authenticator: a device that creates and uses passkeys without a person (chromedevtools,
// WebAuthn domain).
import type { CDPSession, Page } from 'playwright-core';

type Credential = { credentialId: string; signCount: number } & Record<string, unknown>;

export interface VirtualAuthenticator {
  /** Whether the user confirms at once, or not at all. */
  answers(promptly: boolean): Promise<void>;
  credentials(): Promise<Credential[]>;
  add(credential: Credential): Promise<void>;
}

/** Builds one into a page's device. It stays while the page navigates. */
export const withAuthenticator = async (page: Page): Promise<VirtualAuthenticator> => {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    answers: (enabled) => session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }).then(() => {}),
    credentials: async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials as unknown as Credential[],
    add: async (credential) => {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential: credential as never });
    },
  };
};
