// Handoffs: the dialogs ask for a person, hubs bring one, and the database keeps the record.

import type { HandoffCase } from '../../dialogs/index.ts';
import { faultFields } from '../platform/log.ts';
import { makeRetryQueue } from '../platform/retry-queue.ts';
import { makeAlarm } from '../platform/time/clock.ts';
import { type Assertions, shownConversation, stateAt, type VerificationState } from '../verification/index.ts';
import { type Acting, type ActResult, type AgentAct, actEndings } from './agent-act.ts';
import { availabilityOf } from './availability.ts';
import type { Hub } from './hub.ts';
import { type HubQueue, makeHubDelivery } from './hub-delivery.ts';
import { type HubPoller, makeHubPoller } from './hub-poller.ts';
import { type Agent, caseReference, type HandoffEnding, type HandoffRecord, type HubEventDraft, type PendingHubEvent } from './record.ts';
import { type HandoffRules, hubFor } from './rules.ts';
import type { TurnContext } from './sdk.ts';
import type { ClaimedHandoff } from './store/handoff-rows.ts';

/** Handoffs with the schedulers of one process. */
export type HandoffsEngine = ReturnType<typeof makeHandoffs>;

export const makeHandoffs = (
  options: Omit<HubQueue, 'alarm' | 'hub'> & {
    readonly hubs: readonly Hub[];
    readonly rules: HandoffRules;
    /** Unset: no proofs. */
    readonly assertions?: Assertions | undefined;
    readonly newId: () => string;
  },
) => {
  const { hubs, rules, store, assertions, clock, newId, log } = options;
  const alarm = makeAlarm(clock);
  let [changed, typing] = [(_id: string) => {}, (_id: string) => {}];
  let run: (acting: Acting) => Promise<void> = async () => {
    throw new Error('The bot has not been started.');
  };
  /** The event as the hub gets it; `undefined`: the hub sees the chat itself. */
  const eventTo = (hub: Hub | undefined, event: HubEventDraft): HubEventDraft | undefined =>
    hub?.readsRecords ? { ...event, arrived: true } : hub?.deliver && event;
  const hubOf = (name: string) => hubs.find((hub) => hub.name === name);

  /** Proves a verification that an event reported to the handoff's hub, if it still is the chat's. */
  const prove = async (handoff: HandoffRecord, told: VerificationState | undefined) => {
    const hub = hubOf(handoff.hub);
    const now = stateAt(handoff, clock.now());
    if (!hub || now.state !== 'verified' || told?.state !== 'verified' || told.requestId !== now.requestId) return undefined;
    const { id, conversation } = handoff;
    return assertions?.sign(now, { audience: hub.audience, handoff: id, conversation: shownConversation(conversation) });
  };

  const carry = async (acting: Acting): Promise<ActResult> => {
    try {
      await run(acting);
    } catch (fault) {
      if ((fault as { final?: unknown }).final === true) return { refused: 'chat_gone' };
      throw fault;
    }
    return acting.result ?? { refused: 'over' };
  };
  /**
   * `by`: the agent who acts, refused unless they have the chat when it is their act's turn.
   * @throws the channel's error if it could not be reached: the act may be repeated under the same id.
   */
  const act = async (handoff: HandoffRecord, what: AgentAct, by?: string): Promise<ActResult> => {
    const result = await carry({ handoff, act: what, by });
    if ('done' in result && what.kind !== 'typing') await keep(handoff, what, result);
    // The chat is gone, so nobody can be told, but the handoff still ends.
    const ending = actEndings[what.kind];
    if (ending && 'refused' in result && result.refused === 'chat_gone')
      await end(handoff.id, ending, 'agent', what.kind === 'finish' ? what.wrapUp : undefined);
    return result;
  };
  const keep = async (handoff: HandoffRecord, what: AgentAct, result: ActResult) => {
    const hub = hubOf(handoff.hub);
    const kept = hub?.keeps?.(what, handoff, result);
    const event = kept && eventTo(hub, kept);
    if (event) await store.tell(handoff.id, event);
    changed(handoff.id);
  };

  /** Ends it, and reports to the hub who ended it. */
  const end = async (id: string, ending: HandoffEnding, by: 'customer' | 'agent' | 'nobody' | 'hub', wrapUp?: string) => {
    const record = await store.get(id);
    const hub = record && hubOf(record.hub);
    // An agent who ends it knows.
    const event =
      by !== 'agent' || hub?.keepsEnds ? eventTo(hub, { type: 'ended', key: 'ended', data: { ending, by, wrapUp } }) : undefined;
    const over = await store.end(id, ending, { wrapUp, event });
    changed(id);
    wake();
    return over;
  };

  const overdue = makeRetryQueue<ClaimedHandoff>(
    { ...options, alarm },
    {
      ...{ component: 'handoff', waits: [30_000], forever: true, patienceMs: 30_000, concurrency: 20 },
      messages: { failed: 'that nobody came could not be told yet' },
      claim: store.claimOverdue,
      nextDue: store.nextOverdue,
      attempt: async ({ handoff }) => {
        try {
          const result = await act(handoff, { kind: 'expire' });
          if ('refused' in result && result.refused === 'chat_gone') await end(handoff.id, 'timed_out', 'nobody');
          return { done: true };
        } catch (fault) {
          return { code: 'chat_unreachable', fault };
        }
      },
      settle: store.settleOverdue,
      describe: () => ({}),
    },
  );
  const pollers = new Map<string, HubPoller>(
    hubs.flatMap((hub) => (hub.poll ? [[hub.name, makeHubPoller({ ...options, hub, alarm }, act)]] : [])),
  );
  const actIn = async (id: string, what: AgentAct) => {
    const handoff = await store.get(id);
    if (handoff) await act(handoff, what);
  };
  const fail = (id: string) =>
    void actIn(id, { kind: 'fail' }).catch((fault: unknown) =>
      log.warn({ ...faultFields(fault), component: 'handoff' }, 'that the hub cannot take a chat could not be told'),
    );
  const placed = async (handoff: HandoffRecord, place: string, seen?: number) => pollers.get(handoff.hub)?.placed(handoff, place, seen);
  const undelivered = ({ createdAt: at, handoffId, id: event }: PendingHubEvent) => actIn(handoffId, { kind: 'undelivered', event, at });
  const deliveries = hubs.flatMap((hub) =>
    hub.deliver ? [makeHubDelivery({ ...options, hub, alarm, prove, fail, undelivered, placed })] : [],
  );
  const wake = () => {
    for (const delivery of deliveries) delivery.wake(clock.now());
  };

  return {
    ...availabilityOf(hubs, rules, clock),

    /** Whether a hub's agents are members of the chat's channel, so that the channel reports what they do. */
    isInChannel: (name: string): boolean => hubs.some((hub) => hub.name === name && hub.inChannel),

    /** Whether any hub shows the chats that are with the bot. */
    seesRunning: hubs.some((hub) => hub.seesRunning),

    /**
     * Asks for a person and returns the record; an open one is returned as it is. `initiate`: to be called once
     * everything has been said, since a hub in the channel may then take the bot out of the chat. `undefined`: no hub
     * takes such a chat.
     * @param known - the record that the chat knows of
     * @param into - the hub whose agent joins, and the new record's id
     */
    request: async (
      context: TurnContext,
      { conversation, address }: Pick<HandoffRecord, 'address' | 'conversation'>,
      about: HandoffCase,
      known: string | undefined,
      into?: Pick<HandoffRecord, 'hub' | 'id'>,
    ) => {
      const hub = into ? hubOf(into.hub) : hubFor(rules, hubs, about, context.activity.serviceUrl);
      if (!hub) return undefined;
      const { app, language, reason } = about;
      // A message waits until an agent reads it; and a hub in the channel reports itself that nobody comes.
      const asking = eventTo(hub, { type: 'requested', key: 'requested', data: about });
      const dueIn = reason === 'message' || into || !asking ? undefined : rules.waitMinutes * 60_000;
      const draft = { id: into?.id ?? newId(), conversation, address, hub: hub.name, reason, app, language, dueIn };
      const { record, added } = await store.add(draft, asking);
      // A record that the chat does not know was stored by a turn that died before it could say so.
      const { verification } = about;
      const initiate = async () =>
        hub.initiate?.(context, about, caseReference(record, await prove({ ...record, verification }, verification)));
      if (record.dueAt !== undefined) overdue.wake(record.dueAt);
      changed(record.id);
      wake();
      return { record, added, ...(hub.initiate && (added || known !== record.id) && { initiate }) };
    },

    /**
     * Calls `changed` with the id of every handoff that has changed or has a new event, though another process may have
     * changed it again since; and `typing` while a customer is.
     */
    observe: (observer: Readonly<Record<'changed' | 'typing', (id: string) => void>>): void => {
      ({ changed, typing } = observer);
    },

    get: store.get,

    /** A handoff of this hub. */
    of: async (hub: string, id: string): Promise<HandoffRecord | undefined> => {
      const record = await store.get(id);
      return record?.hub === hub ? record : undefined;
    },

    take: async (id: string, agent: Agent): Promise<HandoffRecord | undefined> => {
      const record = await store.take(id, agent);
      changed(id);
      return record;
    },

    /** The agent who has it is gone, so it waits for another one, as long as the rules say. */
    release: async (id: string): Promise<HandoffRecord | undefined> => {
      const record = await store.release(id, rules.waitMinutes * 60_000);
      if (record?.dueAt !== undefined) overdue.wake(record.dueAt);
      changed(id);
      return record;
    },

    end,

    /** Reports to the hub what happens in the chat, unless the hub sees that itself. */
    report: async ({ id, hub }: HandoffRecord, event: HubEventDraft): Promise<void> => {
      const told = eventTo(hubOf(hub), event);
      if (!told) return;
      await store.tell(id, told);
      changed(id);
      wake();
    },

    /** The customer is typing; nothing is stored. */
    typing: ({ id }: HandoffRecord): void => typing(id),

    list: store.list,
    events: store.events,
    act,

    /** An agent of a hub joins a chat that is with the bot. @throws as `act` does. */
    come: async (hub: string, chat: Pick<HandoffRecord, 'address' | 'conversation'>, agent: Agent): Promise<ActResult> => {
      const come: AgentAct = { kind: 'come', hub, agent };
      const result = await carry({ handoff: { ...chat, id: newId() }, act: come });
      const record = 'done' in result ? await store.get(result.handoff ?? '') : undefined;
      if (record) await keep(record, come, result);
      return result;
    },

    prove,
    /** A handoff of this hub, by the hub's own name for it. */
    at: store.at,
    /** Something may have happened at a hub's place, which is read. `false`: the place is not ours. */
    hint: async (hub: string, place: string): Promise<boolean> => (await pollers.get(hub)?.hint(place)) ?? false,

    /** Starts delivering events and watching deadlines. `turn` runs an act in its chat. */
    open: (turn: (acting: Acting) => Promise<void>): void => {
      run = turn;
      overdue.wake(clock.now());
      wake();
      for (const poller of pollers.values()) poller.wake();
    },

    close: async (): Promise<void> => {
      await Promise.all([overdue, ...deliveries, ...pollers.values()].map(({ stop }) => stop()));
    },
  };
};
