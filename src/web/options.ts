// What the chat page needs of the bot, and what an operator sets for it.
import type { Rate } from '../platform/limits.ts';
import type { Theme } from '../platform/pages/theme.ts';
import type { Language } from '../platform/text/languages.ts';
import type { OwnPageTexts } from './texts.ts';

/** A Direct Line token, as issued: its user's id in a new conversation, and the seconds until it expires. */
type ChatToken = { readonly token: string; readonly conversationId: string; readonly userId?: string; readonly expires_in: number };

/** Issues and checks the page's tokens: our own Direct Line, or Azure's. */
export interface ChatTokens {
  readonly issueToken: (request: { readonly session: string }) => Promise<ChatToken>;
  /**
   * A fresh token for a valid one, or for one that expired in the same browser session; `undefined` if that is
   * impossible.
   */
  readonly renewToken: (token: string, session: string, options: { readonly resumed: boolean }) => Promise<ChatToken | undefined>;
  /** Ends the conversation of a token that this browser session may renew. */
  readonly endConversation: (token: string, session: string) => Promise<void>;
  /** Whether a token is valid, as far as that can be told here. */
  readonly holdsToken: (token: string) => Promise<boolean>;
}

export interface ChatPageOptions extends ChatTokens {
  /** How many new chats one address may start. */
  readonly rate: Rate;
  /**
   * The server's public address (PUBLIC_URL); with `https:` the session cookie is sent over secure connections only.
   */
  readonly publicUrl?: string | undefined;
  /** The language for a browser that asks for none of ours. */
  readonly fallbackLanguage?: Language;
  /** Texts that replace the page's own. Unset: none. */
  readonly ownTexts?: OwnPageTexts | undefined;
  /** The origins of pages that may show the chat in a frame. */
  readonly embedOrigins?: readonly string[] | undefined;
  /** The operator's look. Unset: the product's own. */
  readonly theme?: Theme | undefined;
  /** The address of an Azure bot's Direct Line, if the chat runs over that. Unset: this server's own. */
  readonly directLineUrl?: string | undefined;
  /** The path at which a page of this server may frame the same page. Unset: none. */
  readonly framedAt?: string | undefined;
}
