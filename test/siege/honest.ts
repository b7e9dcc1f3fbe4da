// An honest customer and an honest program in the middle of it all: what they ask for is answered as ever.
import assert from 'node:assert/strict';
import type { Side } from '../bench/side.ts';
import { callsTo } from '../support/running-service.ts';
import { sendBody } from '../support/sends.ts';
import { until } from '../support/until.ts';
import type { Known } from './attack.ts';
import type { Target } from './target.ts';

export interface Honest {
  /** What an attacker may know of them; the token is renewed from time to time. */
  known(): Known;
  readonly streamPath: string;
  /** Asks for everything once. @throws when something is not answered as it should be. */
  ask(): Promise<void>;
}

interface Issued {
  readonly token: string;
  readonly conversationId: string;
}

const directLine = '/v3/directline';

/** Sends a request that waits, and begins a chat. */
export const makeHonest = async (side: Side, { serviceUrl, botUrl, secretKey }: Target): Promise<Honest> => {
  const settled = async () => void (await side.ask('settled'));
  const { call, open, outbox } = callsTo(() => ({ baseUrl: serviceUrl, secretKey, settled }) as never);
  const { requestId } = (await call('POST', '/e-form/send', { body: sendBody('e-form') })).json;
  const linkPath = new URL((await outbox())[0]?.link ?? '', serviceUrl).pathname;

  const issued = (await side.ask('issueToken')) as Issued;
  const id = issued.conversationId;
  let token = issued.token;
  const speak = (method: string, path: string, body?: object) =>
    open(method, `${botUrl}${directLine}${path}`, { body, headers: { authorization: `Bearer ${token}` } });
  // Whoever attacks has a chat of their own: what is limited by chat is theirs to use up.
  const theirs = (await side.ask('issueToken')) as Issued;
  await open('POST', `${botUrl}${directLine}/conversations`, { body: {}, headers: { authorization: `Bearer ${theirs.token}` } });
  const begun = await speak('POST', '/conversations', {});
  const { pathname, search } = new URL(begun.json.streamUrl);
  const said = async () => (await speak('GET', `/conversations/${id}/activities`)).json.activities.length as number;
  await until(async () => (await said()) > 0, 'the greeting');
  const greeted = await said();

  return {
    known: () => ({ secretKey, linkPath, conversation: { id: theirs.conversationId, token: theirs.token } }),
    streamPath: pathname + search,
    ask: async () => {
      const renewed = await speak('POST', '/tokens/refresh');
      assert.equal(renewed.status, 200);
      token = renewed.json.token;
      assert.equal(await said(), greeted, 'nobody else spoke in the chat');
      for (const path of ['/', '/healthz', '/readyz']) assert.equal((await open('GET', botUrl + path)).status, 200, path);
      const found = await call('POST', '/payments/bootstrap', { body: { phoneNumber: '+12025550102', sessionRef: 'session-0001' } });
      assert.equal(found.json?.customers?.[0]?.name, 'Mei Tanaka', found.text);
      assert.equal((await call('GET', `/requests/${requestId}`)).json?.state, 'pending');
      assert.match((await open('GET', linkPath)).text, /Change of address/);
    },
  };
};
