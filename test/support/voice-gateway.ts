// A voice gateway: it calls the bot as AudioCodes' VoiceAI Connect does in the HTTP mode of its Bot API, speaks and
// presses keys for a caller, and keeps what they hear. Like the real one it gets nothing that it does not ask for.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import { until } from './until.ts';
import type { Whole } from './whole.ts';

export const gatewayKey = 'a-key-of-the-voice-gateway-for-tests';

export interface Heard {
  /** In words. */
  readonly text: string;
  readonly ssml: string;
}

export interface Call {
  /** Everything that was said to the caller. */
  readonly heard: readonly Heard[];
  /** Everything that the bot sent, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: as below
  readonly sent: readonly any[];
  /** The events that the bot sent. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the bot sends, checked by the test that asked
  readonly events: readonly any[];
  /** Says something; what is said back at once. */
  say(text: string): Promise<string>;
  /** Presses keys, each by itself. */
  press(keys: string): Promise<string>;
  /** Says nothing for as long as the gateway waits. */
  silence(): Promise<string>;
  /** Waits in silence for these words since the caller's last ones. */
  hears(words: RegExp): Promise<string>;
  /** Says again that the call goes on. */
  refresh(): Promise<number>;
  hangUp(): Promise<number>;
  /** Posts one activity as it is; an id of one that was posted before repeats it. */
  post(activity: object): Promise<{ readonly status: number; readonly text: string }>;
}

export interface Calling {
  readonly caller?: string;
  readonly language?: string;
  readonly key?: string;
  /** Opens the websocket too, and is told everything by it. */
  readonly websocket?: boolean;
}

const wordsIn = (ssml: string) =>
  ssml
    .replace(/<\/s>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot|apos);/g, (_entity, name: 'amp') => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name])
    .trim();

let calls = 0;

/** The bot's answer to a request of the gateway. */
export const asGateway = async (address: string, body: object | undefined, key: string = gatewayKey) => {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const answer = await fetch(address, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
};

/** Calls the bot. */
export const startCall = async (
  whole: Pick<Whole, 'bot'>,
  { caller = '+12025550102', language = 'en-US', key = gatewayKey, websocket = false }: Calling = {},
): Promise<Call> => {
  calls += 1;
  const conversation = `5c0f7c8e-0000-4000-8000-${String(calls).padStart(12, '0')}`;
  const begun = await asGateway(
    `http://127.0.0.1:${whole.bot().port}/voice/audiocodes`,
    { conversation, id: 'r0', timestamp: new Date() },
    key,
  );
  assert.equal(begun.status, 200);
  const { activitiesURL, refreshURL, disconnectURL } = begun.body;
  const heard: Heard[] = [];
  const events: object[] = [];
  const sent: object[] = [];
  let count = 0;
  let since = 0;

  let mark = 0;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const keep = (activities: any[]) => {
    for (const one of activities) {
      assert.ok(one.id && one.timestamp);
      sent.push(one);
      if (one.type === 'event') events.push(one);
      else heard.push({ ssml: one.text, text: wordsIn(one.text) });
    }
  };
  const socket = websocket ? new WebSocket(begun.body.websocketURL, { headers: { authorization: `Bearer ${key}` } }) : undefined;
  socket?.on('message', (frame) => keep(JSON.parse(String(frame)).activities));
  if (socket) await once(socket, 'open');

  const send = async (activity: object) => {
    count += 1;
    const named = { id: `a${count}`, timestamp: new Date().toISOString(), language, ...activity };
    const answer = await asGateway(activitiesURL, { conversation, activities: [named] }, key);
    if (socket) assert.deepEqual(answer.status === 200 && answer.body, answer.status === 200 && {});
    const before = socket ? mark : heard.length;
    keep(answer.body?.activities ?? []);
    if (socket) await until(() => heard.length > mark || !('text' in activity), 'an answer over the websocket');
    mark = heard.length;
    const text = heard
      .slice(before)
      .map((each) => each.text)
      .join('\n');
    return { status: answer.status, text };
  };
  const take = async (activity: object) => {
    const { status, text } = await send(activity);
    assert.equal(status, 200);
    return text;
  };
  const act = (activity: object) => {
    since = heard.length;
    return take(activity);
  };
  const silence = () => take({ type: 'event', name: 'noUserInput', value: 1 });

  await act({ type: 'event', name: 'start', parameters: { caller, callee: '+12025550000' } });
  return {
    heard,
    sent,
    events,
    say: (text) => act({ type: 'message', text, parameters: { confidence: 0.9 } }),
    press: async (keys) => {
      const answers: string[] = [];
      for (const value of keys) answers.push(await act({ type: 'event', name: 'DTMF', value }));
      return answers.join('\n').trim();
    },
    silence,
    hears: async (words) => {
      const told = () =>
        heard
          .slice(since)
          .map(({ text }) => text)
          .join('\n');
      try {
        return await until(async () => (words.test(told()) ? told() : void (await silence())), `the caller to hear ${words}`);
      } catch (fault) {
        throw new Error(`${(fault as Error).message}; heard: ${told()}`);
      }
    },
    refresh: async () => (await asGateway(refreshURL, { conversation }, key)).status,
    hangUp: async () =>
      (await asGateway(disconnectURL, { conversation, reason: 'Client Side', reasonCode: 'client-disconnected' }, key)).status,
    post: send,
  };
};
