// Our Direct Line 3.0 for Web Chat: conversations stored in our database, the bot in the same process.
import { randomBytes } from 'node:crypto';
import type { Activity } from 'botframework-schema';
import { z } from 'zod';
import { newUlid } from '../platform/secrets/new-id.ts';
import { makeBearerCheck } from '../platform/secrets/sealing.ts';
import { systemClock } from '../platform/time/clock.ts';
import type { Parties } from './activity.ts';
import { makeDirectLineConnector } from './connector.ts';
import type { DirectLineContext } from './context.ts';
import { DirectLineError, makeRest, type Rest, usualLimits } from './rest.ts';
import { addRoutes } from './routes.ts';
import { makeSignals } from './signals.ts';
import { makeStreams, type streamLimits } from './streams.ts';
import { type IssuedToken, makeTokens, sessionHash, type VouchedFor } from './tokens.ts';
import { makeTurnDispatcher } from './turn-dispatcher.ts';

type Required = 'chats' | 'log' | 'server';
type Optional = 'admit' | 'clock' | 'limits' | 'newId' | 'publicUrl' | 'signals';

/** Unset: everybody is admitted, within the usual limits. `publicUrl` is required behind a proxy. */
export interface DirectLineOptions extends Parties, Pick<DirectLineContext, Required>, Partial<Pick<DirectLineContext, Optional>> {
  /** Signs tokens, 32 bytes. A new key ends the tokens of all open chats. */
  readonly key: Uint8Array;
  /** Runs the bot's turn. Resolves when the turn is over and everything it posted is stored; rejects when it failed. */
  readonly onActivity: (activity: Activity) => Promise<void>;
  /** Whether customers may send files. Our dialogs read none, so by default they may not. */
  readonly uploads?: boolean;
  /** A new user's secret part: 128 random bits as text. */
  readonly random?: () => string;
  /**
   * Origins of other sites whose pages may use this Direct Line, `https://www.example.com`. Default: none, our own page
   * only.
   */
  readonly allowedOrigins?: readonly string[];
  /** Lets another site's server request tokens ({@link addGenerate}). Unset: none can. */
  readonly secret?: string | undefined;
  /** What the bot says if a turn failed whose post was answered before, in the language of the activity's `locale`. */
  readonly apology: (locale: string | undefined) => string;
  /**
   * How long a post waits for the bot's turn, in milliseconds. Then it is answered all the same, since the activity is
   * stored.
   */
  readonly postWaitMs?: number;
  /** How long everybody else waits for a turn, in milliseconds: a gateway, and whoever resumes a chat. */
  readonly turnTimeoutMs?: number;
  readonly streamLimits?: typeof streamLimits;
}

/** The subject of a new token. Unset: a new user, in a new conversation. */
interface TokenRequest {
  readonly userId?: string | undefined;
  readonly conversationId?: string | undefined;
  /**
   * Facts that this function's caller has verified about the customer; they reach the bot as `channelData.verified`.
   */
  readonly verified?: VouchedFor | undefined;
  /** The browser session's secret that may renew this token after it has expired. */
  readonly session?: string | undefined;
}

export type DirectLine = ReturnType<typeof makeDirectLine>;

export const makeDirectLine = (options: DirectLineOptions) => {
  const { server, key, botId, botName, onActivity, uploads = false, allowedOrigins = [], publicUrl, secret } = options;
  const { apology, postWaitMs = 4_000, turnTimeoutMs = 18_000, random = () => randomBytes(16).toString('base64url') } = options;
  const { chats, admit = async () => {}, limits = usualLimits, log, clock = systemClock } = options;
  const { newId = newUlid, signals = makeSignals() } = options;
  const parties = { botId, botName };
  const tokens = makeTokens({ key, clock });
  const context: DirectLineContext = { server, chats, signals, tokens, parties, admit, limits, publicUrl, clock, newId, log };
  const rest = makeRest(server, tokens, allowedOrigins, publicUrl, limits, log);
  const connector = makeDirectLineConnector(context);
  const turns = makeTurnDispatcher(
    context,
    // This folder builds it field by field (activity.ts); the SDK's type requires more than the SDK's adapter does.
    (activity) => onActivity(activity as unknown as Activity),
    (chatId, { id, locale }) => {
      const text = apology(typeof locale === 'string' ? locale : undefined);
      return connector.post(chatId, { type: 'message', text, channelData: { deliveryKey: `failed:${id}` } });
    },
    turnTimeoutMs,
  );
  const streams = makeStreams(context, rest.mayConnect, options.streamLimits);
  addRoutes(context, rest, turns, streams.shown, uploads, postWaitMs);

  const issueToken = ({ userId, conversationId, verified, session }: TokenRequest = {}): Promise<IssuedToken> =>
    tokens.issue({
      userId: userId ?? `dl_${random()}`,
      conversationId: conversationId ?? newId(),
      verified,
      session: session === undefined ? undefined : sessionHash(session),
    });
  addGenerate(rest, secret, issueToken);

  return {
    connector,
    /** For another way into chats of this kind: a voice gateway's. */
    context,
    turns,

    /** A token for one conversation and one user, by default new ones, valid for 30 minutes. */
    issueToken,

    /** Whether a token is one of ours. One that has expired was ours too: a page that was asleep has not renewed it yet. */
    holdsToken: async (token: string): Promise<boolean> => (await tokens.readPass(token)) !== 'invalid',

    /**
     * A fresh token for the conversation of an earlier one, valid or expired, that was issued to the same browser
     * session; one issued without a session is renewed only while it is valid. `undefined`: not renewed, because it is
     * forged, or of another session, or its conversation was never begun, was ended, or began more than twelve hours
     * ago. `resumed`: for another tab than the one it was issued for. Somebody else may sit there, so the bot learns of
     * it before the token is issued, and if it cannot, none is issued.
     */
    renewToken: async (
      token: string,
      session: string,
      { resumed = false }: { readonly resumed?: boolean } = {},
    ): Promise<IssuedToken | undefined> => {
      const pass = await tokens.readRenewable(token, session);
      const chat = pass && (await chats.get(pass.conversationId));
      if (!chat || chat.ended || chat.userId !== pass.userId) return undefined;
      if (resumed) {
        await admit(chat.userId);
        if ((await turns.resume(chat, newId())) !== 'done') return undefined;
      }
      return tokens.issue(pass);
    },

    /**
     * Ends the conversation of a token that `renewToken` would renew: none of its tokens is valid any more, in any
     * process, and its streams are closed. Any other token is ignored.
     */
    endConversation: async (token: string, session: string): Promise<void> => {
      const pass = await tokens.readRenewable(token, session);
      if (!pass) return;
      await chats.end(pass.conversationId, pass.userId);
      signals.notify(pass.conversationId);
    },

    /**
     * Disconnects the clients (they reconnect on their own) and waits for running turns. Call it before the server's own
     * close.
     */
    close: async (graceMs = 5000): Promise<void> => {
      await streams.close();
      await turns.idle(graceMs);
    },
  };
};

/** As in Direct Line itself: a user's id begins with `dl_`, so that no page can pass for a user of another channel. */
const asked = z
  .object({
    user: z.object({ id: z.string().regex(/^dl_[\w.@-]{1,64}$/) }).optional(),
    /** Vouched for by the caller, so the bot does not ask the customer. */
    verified: z.object({ phoneNumber: z.e164() }).optional(),
  })
  .default({});

/** Adds `POST /v3/directline/tokens/generate`. Without a secret, or with a wrong one, it always answers 403. */
const addGenerate = (rest: Rest, secret: string | undefined, issue: (request: TokenRequest) => Promise<IssuedToken>) => {
  const holdsSecret = secret === undefined ? undefined : makeBearerCheck(secret);
  rest.open('POST', '/v3/directline/tokens/generate', async (request) => {
    if (!holdsSecret?.(request.headers.authorization)) throw new DirectLineError(403, 'BadArgument', 'Missing or invalid secret.');
    const body = asked.safeParse((await rest.readJson(request)) ?? {});
    if (!body.success) {
      throw new DirectLineError(400, 'BadArgument', `${body.error.issues[0]?.path.join('.') || 'The body'} is not as it should be.`);
    }
    const { user, verified } = body.data;
    const { token, conversationId, expires_in, userId } = await issue({ userId: user?.id, verified });
    return { status: 200, body: { token, conversationId, expires_in, userId } };
  });
};
