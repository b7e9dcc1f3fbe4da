// What a page that shows the chat hears of it.

/** The events that `embed.js` dispatches on the page's `document`, with what their `detail` holds. */
export interface EmbedEvents {
  /** The chat can be talked to. */
  readonly 'countersign:ready': undefined;
  readonly 'countersign:open': undefined;
  readonly 'countersign:close': undefined;
  /** Messages that came while the chat was closed. */
  readonly 'countersign:unread': { readonly count: number };
  /**
   * How an interaction ended, once each. It says what the chat shows and proves nothing: act on the result that your
   * server reads.
   */
  readonly 'countersign:outcome': {
    readonly app: string;
    readonly requestId: string;
    readonly status: 'success' | 'failure' | 'timeout' | 'cancelled';
  };
}
