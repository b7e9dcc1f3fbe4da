// The adapter: turns from channels and from our Direct Line, and proactive ones, each as one list of steps.
import { ownServiceUrl } from '../platform/channels.ts';
import type { Log } from '../platform/log.ts';
import { rootOf } from '../platform/root-bot.ts';
import type { BotAuthentication } from './authentication/authentication.ts';
import { readActivity } from './envelope.ts';
import { type Activity, type AuthenticateRequestResult, CloudAdapter, type InvokeResponse, type TurnContext } from './sdk.ts';
import { inSteps } from './steps.ts';
import type { ChatReference } from './turns/addresses.ts';
import type { TurnLock } from './turns/turn-lock.ts';
import {
  answerClicks,
  apologize,
  oneAtATime,
  oneAtATimeOrRefused,
  speakUnderLease,
  type TurnProgress,
  type TurnStep,
} from './turns/turn-steps.ts';
import type { TurnLogic } from './turns/turns.ts';

export interface AdapterOptions {
  readonly authentication: BotAuthentication;
  readonly lock: TurnLock;
  /**
   * Admits an activity from a channel, or throws. Called once its sender is known, so that nobody can use up another
   * user's turns.
   */
  readonly admit: (activity: Activity) => Promise<void>;
  readonly log: Log;
  /** The apology for a failed turn, in the language of the activity's `locale`. */
  readonly apology: (locale: string | undefined) => string;
  /** When a card's click is answered at the latest, in milliseconds. */
  readonly clickWithin?: number;
}

/**
 * A CloudAdapter for activities instead of HTTP requests. User turns never throw the faults of the bot's logic (see
 * {@link apologize}). Proactive turns do, because their caller must know.
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
  async receive(authorization: string, received: Activity, logic: TurnLogic): Promise<InvokeResponse | undefined> {
    const { admit, authentication } = this.#options;
    const caller = await authentication.authenticateRequest(received, authorization);
    const { callerId = '' } = caller;
    // Set before it becomes part of any key: a root bot's conversations are separate from those of channels.
    const activity = rootOf(caller) === undefined ? received : { ...received, callerId };
    await admit(activity);
    return this.#takeUserTurn(caller, activity, logic);
  }

  /**
   * A turn for an activity from our Direct Line, in this process, which has checked and counted its sender before it
   * stored anything.
   * @throws {HttpProblem} 400: not an activity of our Direct Line; 429: the conversation is busy.
   */
  async receiveOwn(body: unknown, logic: TurnLogic): Promise<void> {
    const activity = readActivity(body, (serviceUrl) => serviceUrl === ownServiceUrl);
    await this.#takeUserTurn(this.#options.authentication.ownCaller(), activity, logic);
  }

  /**
   * A proactive turn. Nothing in it is a reply: the stock adapter gives the turn's activity an invented id, and would
   * make every message a reply to something that does not exist.
   * @throws whatever the logic and the connector throw; `TurnLockError` when the conversation stays busy.
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
    } as Activity;
    const { authentication, lock } = this.#options;
    const begin: TurnStep = (turn, next) =>
      this.processProactive(authentication.ownIdentity(), activity, rootOf({ callerId }), (context) => {
        turn.context = context;
        return next(turn);
      });
    await inSteps([oneAtATime(lock), begin, speakUnderLease], runLogic(logic))({ activity });
  }

  /** Resolves to whether all turns are over, once none runs or waits, or after `graceMs`. */
  settled(graceMs: number): Promise<boolean> {
    return this.#options.lock.idle(graceMs);
  }

  /** The turn of a customer's activity. Returns its response. */
  async #takeUserTurn(caller: AuthenticateRequestResult, activity: Activity, logic: TurnLogic): Promise<InvokeResponse | undefined> {
    const { apology, clickWithin, lock, log } = this.#options;
    const begin: TurnStep = async (turn, next) => {
      turn.response = await this.processActivity(caller, activity, (context) => {
        turn.context = context;
        return next(turn);
      });
    };
    const steps = [answerClicks(log, clickWithin), oneAtATimeOrRefused(lock), begin, speakUnderLease, apologize(apology, log)];
    const turn: TurnProgress = { activity };
    await inSteps(steps, runLogic(logic))(turn);
    return turn.response;
  }
}

/** Innermost: the conversation itself, unless its state cannot be had. */
const runLogic =
  (logic: TurnLogic) =>
  async ({ context, fault }: TurnProgress): Promise<void> => {
    if (fault) throw fault;
    await logic(context as TurnContext);
  };
