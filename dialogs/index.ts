// The doorway of the dialogs: the conversation over the five apps, and what it is given.
export { firstOf, isSignedIn, networkIn, numberInToken, numberOfSender, parsePhoneNumber } from './caller.ts';
export { type AppTitles, appTitles, demoForms, type FormEntry, formEntry } from './catalogue.ts';
export { makeConversation } from './conversation.ts';
export { carryNews, type GuestHost, guestMemory, makeGuestDialogs, tellAnyway } from './guest.ts';
export type { CallerOptions, GuestDialogs, GuestOptions, GuestOutcome } from './guest-types.ts';
export { type ChatLanguage, chatLanguages, makeTexts, makeTextsFor, type TextsOptions } from './texts.ts';
export type { CallerResolver, Services } from './turn.ts';
