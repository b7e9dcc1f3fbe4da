// The option of a bot with an operator's own cards.
export interface OwnCardsOption {
  /** A folder of card templates that replace our cards (docs/operations.md). Unset: none. */
  readonly cards?: string | undefined;
}
