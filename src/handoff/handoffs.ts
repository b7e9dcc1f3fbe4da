// Handoffs: the dialogs ask for a person, hubs bring one, and the database keeps the record.
import { makeAlarm } from '../platform/alarm.ts';
import { faultFields } from '../platform/log.ts';
import { makeScheduler } from '../platform/scheduler.ts';
import type { HandoffEnding, HandoffRecord, LetterDraft, PendingLetter } from '../storage/index.ts';
import { shownConversation, stateAt } from '../verification/index.ts';
import { type Acting, type ActResult, type AgentAct, actEndings } from './acts.ts';
import { casePlace } from './case.ts';
import { makeDispatch } from './dispatch.ts';
import type { Hub } from './hub.ts';
import { type Looks, makeLooks } from './looks.ts';
import { hubFor, hubsIn, isOpen, opensAt } from './rules.ts';
import type { AgentSide, Handoffs, HandoffsEngine, HandoffsOptions } from './sides.ts';

/** If the chat of an overdue handoff cannot be reached, it is tried again after this many milliseconds. */
const expireAgain = 30_000;

export const makeHandoffs = (options: HandoffsOptions): HandoffsEngine => {
  const { hubs, rules, store, assertions, shared, clock, newId, log, changed = () => {}, typing = () => {} } = options;
  const alarm = makeAlarm(clock);
  let run: (acting: Acting) => Promise<void> = async () => {
    throw new Error('The bot has not been started.');
  };
  /** The letter as the hub gets it; `undefined`: the hub sees the chat itself. */
  const letterTo = (hub: Hub | undefined, letter: LetterDraft): LetterDraft | undefined =>
    hub?.readsRecords ? { ...letter, arrived: true } : hub?.bring && letter;
  const hubOf = (name: string) => hubs.find((hub) => hub.name === name);
  const staffed = hubs.some((hub) => hub.isStaffed) ? (hub: Hub) => hub.isStaffed?.() ?? true : () => true;

  const prove: AgentSide['prove'] = async (handoff, told) => {
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
  const act: AgentSide['act'] = async (handoff, what, by) => {
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
    const letter = kept && letterTo(hub, kept);
    if (letter) await store.tell(handoff.id, letter);
    changed(handoff.id);
  };

  const end: Handoffs['end'] = async (id, ending, by, wrapUp) => {
    const record = await store.get(id);
    const hub = record && hubOf(record.hub);
    // An agent who ends it knows; if the hub stores its agents' acts, that letter is stored together with the end.
    const told = by === 'agent' ? record && hub?.keeps?.(actOf(ending, wrapUp), record) : ended(ending, by);
    const letter = told && letterTo(hub, told);
    const over = await store.end(id, ending, { wrapUp, letter });
    changed(id);
    wake();
    return over;
  };

  const expire = async (handoff: HandoffRecord) => {
    try {
      const result = await act(handoff, { kind: 'expire' });
      if ('refused' in result && result.refused === 'chat_gone') await end(handoff.id, 'timed_out', 'nobody');
    } catch (fault) {
      log.warn({ ...faultFields(fault), component: 'handoff' }, 'that nobody came could not be told yet');
      await store.later(handoff.id, expireAgain);
    }
  };
  const overdue = makeScheduler({
    ...{ component: 'handoff', clock, alarm, log, shared },
    run: async () => {
      const late = await store.overdue(20);
      await Promise.all(late.map(expire));
      return late.length;
    },
    nextDue: store.nextOverdue,
  });
  const looks = new Map<string, Looks>(
    hubs.flatMap((hub) => (hub.look ? [[hub.name, makeLooks({ hub, store, act, shared, clock, alarm, log })] as const] : [])),
  );
  const fail = (handoff: HandoffRecord) => void act(handoff, { kind: 'fail' }).catch(failing);
  const placed = async (handoff: HandoffRecord, place: string, seen?: number) => looks.get(handoff.hub)?.placed(handoff, place, seen);
  const undelivered = async (handoff: HandoffRecord, { createdAt: at, id: letter }: PendingLetter) =>
    void (await act(handoff, { kind: 'undelivered', letter, at }));
  const dispatches = hubs.flatMap((hub) => (hub.bring ? [makeDispatch({ ...options, hub, alarm, prove, fail, undelivered, placed })] : []));
  const failing = (fault: unknown) =>
    log.warn({ ...faultFields(fault), component: 'handoff' }, 'that the hub cannot take a chat, or a message in it, could not be told');
  const wake = () => {
    for (const dispatch of dispatches) dispatch.wake(clock.now());
  };

  return {
    seesRunning: hubs.some((hub) => hub.seesRunning),

    canCome: (serviceUrl) => isOpen(rules.hours, clock.now()) && hubsIn(hubs, serviceUrl).some(staffed),

    availability: (about, serviceUrl) => {
      const hub = hubFor(rules, hubs, about, serviceUrl);
      if (!hub) return { kind: 'none' };
      if (!isOpen(rules.hours, clock.now())) {
        const opens = rules.hours && opensAt(rules.hours, clock.now());
        return { kind: 'closed', ...(opens !== undefined && { opens }) };
      }
      return { kind: staffed(hub) ? 'open' : 'nobody' };
    },

    request: async (context, { conversation, address }, about, known, into) => {
      const hub = into ? hubOf(into.hub) : hubFor(rules, hubs, about, context.activity.serviceUrl);
      if (!hub) return undefined;
      const { app, language, reason } = about;
      // A message waits until an agent reads it; and a hub in the channel reports itself that nobody comes.
      const asking = letterTo(hub, { type: 'requested', key: 'requested', data: about });
      const dueIn = reason === 'message' || into || !asking ? undefined : rules.waitMinutes * 60_000;
      const draft = { id: into?.id ?? newId(), conversation, address, hub: hub.name, reason, app, language, dueIn };
      const { record, added } = await store.add(draft, asking);
      // A record that the chat does not know was stored by a turn that died before it could say so.
      const { verification } = about;
      const initiate = async () =>
        hub.initiate?.(context, about, casePlace(record, await prove({ ...record, verification }, verification)));
      if (record.dueAt !== undefined) overdue.wake(record.dueAt);
      changed(record.id);
      wake();
      return { record, added, ...(hub.initiate && (added || known !== record.id) && { initiate }) };
    },

    get: store.get,

    of: async (hub, id) => {
      const record = await store.get(id);
      return record?.hub === hub ? record : undefined;
    },

    take: async (id, agent) => {
      const record = await store.take(id, agent);
      changed(id);
      return record;
    },

    release: async (id) => {
      const record = await store.release(id, rules.waitMinutes * 60_000);
      if (record?.dueAt !== undefined) overdue.wake(record.dueAt);
      changed(id);
      return record;
    },

    end,

    tell: async ({ id, hub }, letter) => {
      const told = letterTo(hubOf(hub), letter);
      if (!told) return;
      await store.tell(id, told);
      changed(id);
      wake();
    },

    typing: ({ id }) => typing(id),

    list: store.list,
    letters: store.letters,
    act,

    come: async (hub, chat, agent) => {
      const come: AgentAct = { kind: 'come', hub, agent };
      const result = await carry({ handoff: { ...chat, id: newId() }, act: come });
      const record = 'done' in result ? await store.get(result.handoff ?? '') : undefined;
      if (record) await keep(record, come, result);
      return result;
    },

    prove,
    at: store.at,
    hint: async (hub, place) => (await looks.get(hub)?.hint(place)) ?? false,

    open: (turn) => {
      run = turn;
      overdue.wake(clock.now());
      wake();
      for (const one of looks.values()) one.wake();
    },

    close: async () => {
      await Promise.all([overdue, ...dispatches, ...looks.values()].map(({ stop }) => stop()));
    },
  };
};

/** The act that causes an ending. */
const actOf = (ending: HandoffEnding, wrapUp: string | undefined): AgentAct => {
  if (ending === 'finished') return { kind: 'finish', wrapUp };
  return { kind: ending === 'returned' ? 'return' : 'fail' };
};

const ended = (ending: HandoffEnding, by: string): LetterDraft => ({ type: 'ended', key: 'ended', data: { ending, by } });
