// The doorway of the dialogs: the conversation over the five apps, what it is given, and what flows are made of.
export { comparable, say } from './activities.ts';
export { AppComponent } from './app-component.ts';
export type { AppDialog, AppEnding, AppOptions } from './app-dialog.ts';
export { appDialogs } from './apps.ts';
export { firstOf, isSignedIn, networkIn, numberInToken, numberOfSender, parsePhoneNumber } from './caller.ts';
export { type AppTitles, appTitles, demoForms, type FormEntry, formEntry } from './catalogue.ts';
export { makeConversation } from './conversation.ts';
export { toAgent } from './escalation.ts';
export { flowsFolder } from './flows-folder.ts';
export { carryNews, type GuestHost, guestMemory, makeGuestDialogs, tellAnyway } from './guest.ts';
export type { CallerOptions, GuestDialogs, GuestOptions, GuestOutcome } from './guest-types.ts';
export { interruption, optionsFor } from './interruption.ts';
export type { Flows, FlowWish } from './offered-flows.ts';
export { makeQuestion, type Question, type Reading } from './question.ts';
export { dayIn, readAmount, readDate, readNumber } from './readings.ts';
export { phrasesOf } from './recogniser.ts';
export { type ChatLanguage, chatLanguages, makeTexts, makeTextsFor, type TextsOptions, type Way } from './texts.ts';
export { type CallerResolver, type Services, type Turn, turnOf } from './turn.ts';
