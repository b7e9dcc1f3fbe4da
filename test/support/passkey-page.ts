// The passkeys page without a browser, through the requests of its script and its form.
import assert from 'node:assert/strict';
import type { TestAuthenticator } from './authenticator.ts';
import type { Reply, ServiceCalls } from './running-service.ts';

export interface PasskeyPage {
  post(fields: Record<string, string>): Promise<Reply>;
  /** Requests the options of a ceremony. */
  begin(purpose: string, proof?: string): Promise<Reply>;
  giveUp(challenge: string): Promise<Reply>;
  /** Has a code sent to the phone, enters it, and returns the secret of the next page. */
  prove(): Promise<string>;
  /** Creates a passkey, which does not end the request. */
  enrol(device: TestAuthenticator): Promise<Reply>;
  authenticate(device: TestAuthenticator): Promise<Reply>;
}

/** The newest code in the outbox. */
export const newestCode = async (service: ServiceCalls) => (await service.outbox()).find(({ code }) => code !== undefined)?.code ?? '';

/** The secret of a page that may create a passkey. */
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
