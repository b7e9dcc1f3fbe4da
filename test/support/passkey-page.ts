// The passkeys page as its script and its form use it, without a browser.
import assert from 'node:assert/strict';
import type { TestAuthenticator } from './authenticator.ts';
import type { Reply, ServiceCalls } from './running-service.ts';

export interface PasskeyPage {
  post(fields: Record<string, string>): Promise<Reply>;
  /** Asks for the beginning of a ceremony. */
  begin(purpose: string, proof?: string): Promise<Reply>;
  giveUp(challenge: string): Promise<Reply>;
  /** Has a code sent to the phone, returns it, and gives the secret of the page that follows. */
  prove(): Promise<string>;
  enrol(device: TestAuthenticator): Promise<Reply>;
  authenticate(device: TestAuthenticator): Promise<Reply>;
}

/** The newest code in the outbox. */
export const newestCode = async (service: ServiceCalls) => (await service.outbox()).find(({ code }) => code !== undefined)?.code ?? '';

/** The secret that a page which may make a passkey holds. */
export const proofIn = ({ text }: Reply) => /name="proof" value="([^"]+)"/.exec(text)?.[1] ?? '';

export const openPasskeyPage = (service: ServiceCalls, link: string): PasskeyPage => {
  const page: PasskeyPage = {
    post: (fields) => service.open('POST', link, { body: new URLSearchParams(fields) }),
    begin: (purpose, proof) => service.open('POST', `${link}/passkey`, { body: { purpose, proof } }),
    giveUp: (challenge) => service.open('POST', `${link}/passkey/given-up`, { body: { challenge } }),
    prove: async () => {
      assert.equal((await page.post({ decision: 'code' })).status, 200);
      const checked = await page.post({ decision: 'verify', code: await newestCode(service) });
      assert.equal(checked.status, 200);
      return proofIn(checked);
    },
    enrol: async (device) => {
      const proof = await page.prove();
      const { status, json } = await page.begin('enrol', proof);
      assert.equal(status, 200);
      return page.post({ decision: 'enrol', proof, answer: device.create(json) });
    },
    authenticate: async (device) => {
      const { status, json } = await page.begin('authenticate');
      assert.equal(status, 200);
      return page.post({ decision: 'authenticate', answer: device.get(json) });
    },
  };
  return page;
};
