// A chat whose people work in Chatwoot, without a bot: handoffs on a real database, with the real hub and a Chatwoot on
// loopback. Waits between attempts are left out, so that what takes minutes is tried at once.

import type { HandoffCase } from '../../dialogs/escalation/case.ts';
import type { Acting, ActResult } from '../../src/handoff/agent-act.ts';
import { makeChatwootHub } from '../../src/handoff/chatwoot/chatwoot-hub.ts';
import { makeHubConnections } from '../../src/handoff/connections.ts';
import { type HandoffsEngine, makeHandoffs } from '../../src/handoff/handoffs.ts';
import { type HandoffStore, makeHandoffStore } from '../../src/handoff/index.ts';
import type { HandoffRecord } from '../../src/handoff/record.ts';
import { usualRules } from '../../src/handoff/rules.ts';
import { handoffTables } from '../../src/handoff/store/tables.ts';
import { makeLog } from '../../src/platform/log.ts';
import { newUlid } from '../../src/platform/secrets/new-id.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { openStorage } from '../../src/storage/index.ts';
import type { VerificationState } from '../../src/verification/index.ts';
import { type Chatwoot, startChatwoot } from './chatwoot.ts';
import { until } from './until.ts';

export interface ChatwootChat {
  readonly chatwoot: Chatwoot;
  readonly engine: HandoffsEngine;
  readonly store: HandoffStore;
  /** What the customer was told, oldest first: the kinds of acts, and agents' words. */
  readonly told: string[];
  /** What the log says. */
  readonly lines: string[];
  /** Events that were given up. */
  readonly givenUp: string[];
  /** Sets who is verified, as the chat's next words say. */
  verify(verification: VerificationState): void;
  request(more?: Partial<HandoffCase>): Promise<HandoffRecord>;
  /** What the customer writes to the agent. */
  write(text: string): Promise<void>;
  /** Ends the handoff as the customer does. */
  leave(): Promise<void>;
  /** Says that nobody is verified any more, or who is. */
  report(): Promise<void>;
  /** The newest record. */
  record(): Promise<HandoffRecord>;
  /** Resolves when nothing is left to deliver. */
  settled(): Promise<void>;
  /** Lets the bot read a conversation now. */
  poll(): Promise<void>;
  close(): Promise<void>;
}

export const openChatwootChat = async (): Promise<ChatwootChat> => {
  const chatwoot = await startChatwoot(() => 'http://127.0.0.1:1');
  chatwoot.callbacks = 0;
  const storage = await openStorage(undefined, { tables: [handoffTables] });
  const { CHATWOOT_TOKEN: token = '', CHATWOOT_URL: url = '' } = chatwoot.settings;
  const connections = makeHubConnections();
  let polls = 0;
  const store: HandoffStore = {
    ...storage.of(makeHandoffStore),
    settleEvent: (event, fate) => storage.of(makeHandoffStore).settleEvent(event, 'again' in fate ? { ...fate, again: 0 } : fate),
    placed: (id, place) => storage.of(makeHandoffStore).placed(id, place, 0),
    settlePoll: async (poll, fate) => {
      await storage.of(makeHandoffStore).settlePoll(poll, fate);
      polls += 1;
    },
  };
  const newId = newUlid;
  const told: string[] = [];
  const lines: string[] = [];
  const givenUp: string[] = [];
  let verification: VerificationState = { state: 'none' };
  let id = '';
  const record = async () => (await store.get(id)) as HandoffRecord;

  const engine = makeHandoffs({
    ...{ hubs: [makeChatwootHub({ url, token, account: 3, inbox: 5, connections })], rules: usualRules, store, shared: false },
    ...{ clock: systemClock, newId, jitter: () => 0, log: makeLog('warn', { write: (line: string) => lines.push(line) }) },
    assertions: { jwks: { keys: [] }, sign: async () => 'a.signed.proof' },
    givenUp: ({ event }) => givenUp.push(event),
  });
  /** What the dialogs do about an act, as far as hubs can tell. */
  const carryOut = async ({ act, handoff }: Acting): Promise<ActResult> => {
    const { state } = (await store.get(handoff.id)) as HandoffRecord;
    if (act.kind !== 'undelivered' && state === 'over') return { refused: 'over' };
    told.push(act.kind === 'say' ? (act.text ?? '') : act.kind);
    if (act.kind === 'accept' || act.kind === 'transfer') await engine.take(handoff.id, act.agent);
    if (act.kind === 'finish') await engine.end(handoff.id, 'finished', 'agent');
    if (act.kind === 'return') await engine.end(handoff.id, 'returned', 'agent');
    if (act.kind === 'fail') await engine.end(handoff.id, 'failed', 'agent');
    return { done: true };
  };
  engine.open(async (acting) => {
    acting.result = await carryOut(acting);
  });
  const tell = async (type: string, data: object) => engine.report(await record(), { type, key: newId(), data: { ...data, verification } });

  return {
    ...{ chatwoot, engine, store, told, lines, givenUp, record },
    verify: (now) => {
      verification = now;
    },
    request: async (more = {}) => {
      const about: HandoffCase = { reason: 'asked', language: 'en', verification, requestIds: [], transcript: [], ...more };
      const asked = await engine.request({ activity: {} } as never, { conversation: 'chat', address: '{}' }, about, undefined);
      if (!asked) throw new Error('nobody can be asked for');
      id = asked.record.id;
      return asked.record;
    },
    write: (text) => tell('message', { message: { id: newId(), text } }),
    leave: async () => void (await engine.end(id, 'returned', 'customer')),
    report: () => tell('verification', {}),
    settled: async () => {
      await until(async () => (await store.nextEvent('chatwoot')) === undefined, 'that everything is delivered or given up');
    },
    poll: async () => {
      const { place = '' } = await record();
      const before = polls;
      await engine.hint('chatwoot', place);
      await until(() => polls > before, 'a poll');
    },
    record,
    close: async () => {
      await engine.close();
      await storage.close();
      await chatwoot.close();
      await connections.close();
    },
  };
};
