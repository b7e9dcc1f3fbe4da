// The dialogs' public interface: the conversation over the five apps, its services, and the parts of flows.
export { asActivity, say } from './activities.ts';
export { AppComponent } from './app-component.ts';
export type { AppDialog, AppEnding, AppOptions, Asked } from './app-dialog.ts';
export { appInputs, appOutputs, flowActionInputs, flowActionOutputs } from './app-inputs.ts';
export { appDialogs } from './apps.ts';
export { firstOf, isSignedIn, networkIn, numberInToken, numberOfSender, parsePhoneNumber } from './caller.ts';
export { type AppTitles, appTitles, demoForms, type FormEntry, formEntry, formTitle } from './catalogue.ts';
export { makeConversation } from './conversation.ts';
export { toAgent } from './escalation.ts';
export { type FlowAct, type FlowRun, type FlowRunState, makeFlowRun } from './flow-run.ts';
export { deliverAnyway, guestMemory, makeGuestDialogs, makeGuestFlows } from './guest.ts';
export { carryNews, type GuestHost } from './guest-dialog.ts';
export type { CallerOptions, GuestDialogs, GuestFlowOptions, GuestFlowOutcome, GuestOptions, GuestOutcome } from './guest-types.ts';
export { interruption, optionsFor } from './interruption.ts';
export { type OwnTexts, replacementFaults } from './message-faults.ts';
export type { DescribedFlow, FlowEnding, Flows, FlowWish, OfferedFlow } from './offered-flows.ts';
export { flowsFolder } from './offered-flows.ts';
export { type GivenRequest, gather, type Unprepared } from './prepared.ts';
export { makeQuestion, type Question, type Reading } from './question.ts';
export { dayIn, readAmount, readDate, readNumber } from './readings.ts';
export { type SettleBillOutcome, settleBill, type VerifyThenOptions, type VerifyThenOutcome, verifyThen } from './recipes.ts';
export { namedIn, pickedBy, specificityOf, vocabularyBeside } from './recogniser.ts';
export {
  type ChatLanguage,
  chatLanguages,
  makeTexts,
  makeTextsFor,
  messagesOf,
  type TextsOptions,
  type Way,
} from './texts.ts';
export { type CallerResolver, type Services, type Turn, turnOf } from './turn.ts';
export { corrected, type KnownWords } from './typos.ts';
export { isVerifiedFor, proofsOf } from './verified.ts';
export { comparable, isSpaceless, unaccented, withOrWithoutArticle } from './words.ts';
