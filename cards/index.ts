// The cards' public interface: typed functions that make a card and the words that say the same.
export type { Addressee } from './app-cards.ts';
export { isDeclined } from './app-cards.ts';
export { appCards, confirmCard, outcomeCard, type RequestData, unresolved, waiting } from './apps.ts';
export type { Card } from './card.ts';
export {
  askBlank,
  documentVariables,
  isFreeText,
  labelOf,
  maxLengthOf,
  readVariables,
  shownValue,
  type VariableEntry,
  type VariableFault,
  withHint,
} from './document-signature.ts';
export { type CardKind, cardKinds, type EndingStatus, endingStatuses, type OwnKind, type SharedKind } from './kinds.ts';
export { type ButtonName, button, type CardAction, type CardMessage } from './message.ts';
export { codeInput, enterCode } from './one-time-passcode.ts';
export { escapeMarkdown, isolateNumbers, literal, signsFirst } from './plain.ts';
export { choices, maxPaired, menu, notice, notSent, pointer, record } from './questions.ts';
export type { KeysUnder, TextKey, Texts, TextValues } from './texts.ts';
export { universal } from './universal.ts';
export type { MessageFacts } from './waiting.ts';
