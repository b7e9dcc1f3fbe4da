// The named points at which a bot can be killed, and the parts of the bot with those points in them.

import type { ServiceClient } from '../../src/client/index.ts';
import type { PartWrappers } from '../../src/compose/bot/connection.ts';
import { type AppId, appIds } from '../../src/contract/index.ts';
import { type HandoffStore, makeHandoffStore } from '../../src/handoff/index.ts';
import { withStore } from '../support/stores.ts';

/** What the bot does that lasts or goes out. Each has a point right before it and one right after. */
export const deeds = [
  'keep', // a customer's message is kept
  'record', // an intent is recorded
  'lookup', // a number's customers are asked for
  'send', // the request goes to the service
  'accepted', // its acceptance is stored
  'read', // a result is read
  'check', // a passcode is checked
  'cancel', // a request is withdrawn
  'resend', // a request is sent again
  'advance', // a step on the device is stored
  'decide', // the outcome is stored
  'outcome', // the outcome is posted
  'reply', // anything else is posted
  'redraw', // a card is changed in place
  'delivered', // it is stored that the outcome was delivered
  'save', // the chat's state is saved, and of a greeting that the chat began
  'settle', // it is noted that the turn for a message is over
] as const;
/** What it does besides where people sit at the desk: the kills of a run without them never come to these. */
export type DeskDeed =
  | 'ask' // a person is asked for
  | 'take' // somebody takes the chat
  | 'end' // somebody leaves it
  | 'tell'; // what happens in it is kept for the desk
export type Deed = (typeof deeds)[number];
export type Point = `after ${Deed | DeskDeed}` | `before ${Deed | DeskDeed}`;

export const points: readonly Point[] = deeds.flatMap((deed) => [`before ${deed}` as const, `after ${deed}` as const]);

/**
 * The bot's parts, with `reach` called at every point on the way; `instead` puts another client in the place of the
 * bot's own.
 */
export const withPoints = (reach: (point: Point) => void, instead = (client: ServiceClient) => client): PartWrappers => {
  const at = async <Result>(deed: Deed | DeskDeed, work: () => Promise<Result>): Promise<Result> => {
    reach(`before ${deed}`);
    const result = await work();
    reach(`after ${deed}`);
    return result;
  };
  const transitions: Readonly<Record<string, Deed>> = {
    accepted: 'accepted',
    refused: 'accepted',
    lost: 'accepted',
    decided: 'decide',
    expired: 'decide',
    abandoned: 'decide',
    delivered: 'delivered',
    unreachable: 'delivered',
  };
  const handoffsAt = (store: HandoffStore): HandoffStore => ({
    ...store,
    add: (...asked) => at('ask', () => store.add(...asked)),
    take: (...taken) => at('take', () => store.take(...taken)),
    end: (...ended) => at('end', () => store.end(...ended)),
    tell: (...told) => at('tell', () => store.tell(...told)),
  });
  return {
    storage: (storage) => ({
      ...withStore(storage, makeHandoffStore, handoffsAt(storage.of(makeHandoffStore))),
      interactions: {
        ...storage.interactions,
        record: (intent) => at('record', () => storage.interactions.record(intent)),
        apply: (id, transition) => {
          const deed = transitions[transition.kind];
          const work = () => storage.interactions.apply(id, transition);
          return deed ? at(deed, work) : work();
        },
        markDelivered: (...marked) => at('delivered', () => storage.interactions.markDelivered(...marked)),
        advance: (...step) => at('advance', () => storage.interactions.advance(...step)),
      },
      botState: { ...storage.botState, write: (...kept) => at('save', () => storage.botState.write(...kept)) },
      chats: {
        ...storage.chats,
        append: (id, activity, options) => {
          const work = () => storage.chats.append(id, activity, options);
          return options?.awaitsTurn ? at('keep', work) : work();
        },
        settle: (...message) => at('settle', () => storage.chats.settle(...message)),
      },
    }),
    client: (own) => {
      const client = instead(own);
      const app = (id: AppId) => {
        const calls = client.apps[id];
        return {
          ...calls,
          bootstrap: (...call: never[]) => at('lookup', () => (calls.bootstrap as (...call: never[]) => Promise<unknown>)(...call)),
          send: (...call: never[]) => at('send', () => (calls.send as (...call: never[]) => Promise<unknown>)(...call)),
          ...('check' in calls && {
            check: (...call: never[]) => at('check', () => (calls.check as (...call: never[]) => Promise<unknown>)(...call)),
          }),
        };
      };
      return {
        ...client,
        apps: Object.fromEntries(appIds.map((id) => [id, app(id)])) as unknown as typeof client.apps,
        results: { get: (...call) => at('read', () => client.results.get(...call)) },
        requests: {
          ...client.requests,
          cancel: (...call) => at('cancel', () => client.requests.cancel(...call)),
          resend: (...call) => at('resend', () => client.requests.resend(...call)),
        },
      };
    },
    connector: (connector) => ({
      ...connector,
      post: (id, activity, replyToId) => {
        const work = () => connector.post(id, activity, replyToId);
        if (activity.type === 'typing') return work();
        return at((activity.channelData as { interaction?: object } | undefined)?.interaction ? 'outcome' : 'reply', work);
      },
      update: (...call) => at('redraw', () => connector.update(...call)),
    }),
  };
};
