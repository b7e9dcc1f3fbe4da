// The doorway of the dialogs: the conversation over the five apps, and what it is given.
export { firstOf, isSignedIn, networkIn, numberInToken, numberOfSender, parsePhoneNumber } from './caller.ts';
export { type AppTitles, appTitles, demoForms, type FormEntry, formEntry } from './catalogue.ts';
export { makeConversation } from './conversation.ts';
export { type ChatLanguage, makeTextsFor } from './texts.ts';
export type { CallerResolver, LookupRate, Services } from './turn.ts';
