// The adapter: turns from channels and from our Direct Line, and proactive ones, one at a time per conversation.

import { channelOf, ownServiceUrl } from '../platform/channels.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import { limitRate, type Rate } from '../platform/limits.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { rates } from '../platform/rates.ts';
import { rootOf } from '../platform/root-bot.ts';
import { withTimeout } from '../platform/time/with-timeout.ts';
import type { BotAuthentication } from './authentication/authentication.ts';
import { readActivity } from './envelope.ts';
import { ConnectorError } from './outgoing/connector.ts';
import {
  type Activity,
  type AuthenticateRequestResult,
  CloudAdapter,
  type ConversationReference,
  INVOKE_RESPONSE_KEY,
  type InvokeResponse,
  type TurnContext,
} from './sdk.ts';
import { type TurnLease, type TurnLock, TurnLockError } from './turns/turn-lock.ts';

export type TurnLogic = (context: TurnContext) => Promise<void>;

export interface AdapterOptions {
  readonly authentication: BotAuthentication;
  readonly lock: TurnLock;
  readonly admit: Admission;
  readonly log: Log;
  /** The apology for a failed turn, in the language of the activity's `locale`. */
  readonly apology: (locale: string | undefined) => string;
  /** When a card's click is answered at the latest, in milliseconds: Teams shows an error after five seconds. */
  readonly clickWithin?: number;
}

/** The address of a chat, and the root bot through which it is reached, if any. */
export type ChatReference = Partial<ConversationReference> & { readonly callerId?: string };

const withCaller = (activity: Activity, { callerId = '' }: AuthenticateRequestResult): Activity => ({ ...activity, callerId });

const isCardClick = ({ type, name }: Activity) => type === 'invoke' && name === 'adaptiveCard/action';

/** The answer that leaves a card as it is. */
const nothingYet: InvokeResponse = {
  status: 200,
  body: { statusCode: 200, type: 'application/vnd.microsoft.activity.message', value: '' },
};

/**
 * The key of a conversation's turn lock. Two channels may use the same conversation id, and a root bot may name any
 * channel and conversation, so the conversations of each root bot have separate keys.
 */
export const turnKey = ({
  callerId,
  channelId,
  serviceUrl,
  conversation,
}: Partial<Pick<Activity, 'callerId' | 'channelId' | 'serviceUrl' | 'conversation'>>): string => {
  const root = rootOf({ callerId }) === undefined ? [] : [callerId];
  return JSON.stringify([serviceUrl === ownServiceUrl ? ownServiceUrl : channelId, conversation?.id, ...root]);
};

/**
 * A CloudAdapter for activities instead of HTTP requests. User turns never throw the faults of the bot's logic: a fault
 * is logged, the customer gets one apology, and the channel is told that the activity was accepted, because a repeat
 * would repeat the fault and everything before it. Proactive turns do throw, because their caller must know.
 */
export class TurnAdapter extends CloudAdapter {
  readonly #options: AdapterOptions;

  constructor(options: AdapterOptions) {
    super(options.authentication);
    this.#options = options;
  }

  /**
   * A turn for an activity that came over HTTP and passed {@link readActivity}. Returns the response to an invoke, or
   * the expected replies; else `undefined`.
   * @throws {HttpProblem} 401, 503: not authenticated; 429: too many turns.
   */
  async receive(authorization: string, activity: Activity, logic: TurnLogic): Promise<InvokeResponse | undefined> {
    const caller = await this.#options.authentication.authenticateRequest(activity, authorization);
    // Set before it becomes part of any key: a root bot's conversations are separate from those of channels.
    return this.#userTurn(caller, rootOf(caller) === undefined ? activity : withCaller(activity, caller), logic);
  }

  /**
   * A turn for an activity from our Direct Line, in this process, which has checked its sender.
   * @throws {HttpProblem} 400: not an activity of our Direct Line; 429: too many turns.
   */
  async receiveOwn(body: unknown, logic: TurnLogic): Promise<InvokeResponse | undefined> {
    const activity = readActivity(body, (serviceUrl) => serviceUrl === ownServiceUrl);
    return this.#userTurn(this.#options.authentication.ownCaller(), activity, logic);
  }

  /**
   * A proactive turn. Nothing in it is a reply: the stock adapter gives the turn's activity an invented id, and would
   * make every message a reply to something that does not exist.
   * @throws whatever the logic and the connector throw; {@link TurnLockError} when the conversation stays busy.
   */
  override async continueConversation(reference: ChatReference, logic: TurnLogic): Promise<void> {
    const { bot, callerId, channelId, conversation, locale, serviceUrl, user } = reference;
    const activity = {
      type: 'event',
      name: 'ContinueConversation',
      channelId,
      serviceUrl,
      conversation,
      from: user,
      recipient: bot,
      relatesTo: reference,
      ...(callerId !== undefined && { callerId }),
      ...(locale !== undefined && { locale }),
    } as Partial<Activity>;
    const { authentication, lock } = this.#options;
    await lock.run(turnKey(activity), (lease) =>
      this.processProactive(authentication.ownIdentity(), activity, rootOf({ callerId }), (context) => {
        speakOnlyWhile(lease, context);
        return logic(context);
      }),
    );
  }

  /** Resolves to whether all turns are over, once none runs or waits, or after `graceMs`. */
  settled(graceMs: number): Promise<boolean> {
    return this.#options.lock.idle(graceMs);
  }

  async #userTurn(caller: AuthenticateRequestResult, activity: Activity, logic: TurnLogic): Promise<InvokeResponse | undefined> {
    const { admit, lock } = this.#options;
    await admit(activity);
    let turn: TurnContext | undefined;
    const answer = () => turn?.turnState.get(INVOKE_RESPONSE_KEY)?.value ?? nothingYet;
    try {
      const run = lock.run(turnKey(activity), (lease) =>
        this.processActivity(caller, activity, (context) => {
          turn = context;
          speakOnlyWhile(lease, context);
          return this.#guarded(context, logic);
        }),
      );
      return isCardClick(activity) ? await this.#inTime(run, answer) : await run;
    } catch (fault) {
      if (!(fault instanceof TurnLockError)) throw fault;
      // The turn cannot run, but the customer can be told.
      if (fault.code === 'unavailable')
        return this.processActivity(caller, activity, (context) => this.#guarded(context, () => Promise.reject(fault)));
      throw new HttpProblem(429, 'conversation_busy', 'Too much is going on in this conversation. Please wait a moment.', {
        headers: { 'Retry-After': '5' },
      });
    }
  }

  /**
   * The turn's answer, or what it has answered by the deadline: the turn then continues, and its effect is told in
   * messages.
   */
  async #inTime(run: Promise<InvokeResponse | undefined>, answerSoFar: () => InvokeResponse): Promise<InvokeResponse | undefined> {
    const { clickWithin = 4000, log } = this.#options;
    const ending = await withTimeout(run, clickWithin, () => 'late' as const);
    if (ending !== 'late') return ending;
    run.catch((fault: unknown) => log.error({ ...faultFields(fault), event: 'invoke' }, 'a turn failed after its click was answered'));
    return answerSoFar();
  }

  async #guarded(context: TurnContext, logic: TurnLogic): Promise<void> {
    try {
      await logic(context);
    } catch (fault) {
      const { apology, log } = this.#options;
      const { channelId, locale, type } = context.activity;
      log.error({ ...faultFields(fault), ...channelFields(fault), channel: channelId, event: type }, 'a turn failed');
      // If posting is what failed, an apology would fail the same way, after the same wait.
      if (fault instanceof ConnectorError && type !== 'invoke') return;
      try {
        if (type === 'message') await context.sendActivity(apology(locale));
        if (type === 'invoke') await context.sendActivity({ type: 'invokeResponse', value: { status: 500 } });
      } catch (second) {
        log.warn({ ...faultFields(second), ...channelFields(second), channel: channelId }, 'the apology for a failed turn was not posted');
      }
    }
  }
}

/** A turn that has lost its conversation to the next one sends nothing more there. */
const speakOnlyWhile = (lease: TurnLease, context: TurnContext) => {
  const confirmed = async <Result>(_context: TurnContext, _what: unknown, next: () => Promise<Result>) => {
    await lease.confirm();
    return next();
  };
  context.onSendActivities(confirmed);
  context.onUpdateActivity(confirmed);
  context.onDeleteActivity(confirmed);
};

const channelFields = (fault: unknown) => (fault instanceof ConnectorError ? { status: fault.status, reason: fault.reason } : {});

export const makeAdapter = (options: AdapterOptions): TurnAdapter => new TurnAdapter(options);

/** Admits an activity or throws. Called once its sender is known, so that nobody can use up another user's turns. */
export type Admission = (activity: Activity) => Promise<void>;

/** The sender of an activity and its channel. */
type Sender = Pick<Activity, 'channelId'> &
  Partial<Pick<Activity, 'entities' | 'name' | 'serviceUrl' | 'type'>> & {
    readonly callerId?: string;
    readonly from: { readonly id: string };
  };

/** A telephone key, on a channel that has them (dialogs/turn/activities.ts reads which). */
const isKey = ({ type, name, entities = [], ...activity }: Sender) =>
  channelOf(activity).voice && ((type === 'event' && name === 'DTMF') || entities.some((entity) => entity.type === 'DTMF'));

/**
 * Admission by user: that many turns (10) in that many seconds (10), then 429 with Retry-After. Keys are counted
 * separately.
 */
export const limitTurns = (rate: Rate = rates.turns) => {
  const take = limitRate(rate, 'too_many_turns', 'Too many messages at once. Please wait a moment.');
  const takeKey = limitRate(rates.keys, 'too_many_turns', 'Too many keys at once. Please wait a moment.');
  return (activity: Sender): Promise<void> => {
    const { callerId, channelId, from } = activity;
    const who = [channelId, from.id, ...(rootOf({ callerId }) === undefined ? [] : [callerId])];
    return (isKey(activity) ? takeKey : take)(JSON.stringify(who));
  };
};
