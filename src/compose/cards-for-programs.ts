// The cards for programs, with their texts: import { makeTexts, outcomeCard } from 'countersign/cards'.
export * from '../../cards/index.ts';
export { type ChatLanguage, chatLanguages, makeTexts, type TextsOptions } from '../../dialogs/index.ts';
