// The dialogs' public interface: the conversation over the five apps, its services, and the parts of flows.
import { fileURLToPath } from 'node:url';

export { toAgent } from './agents/escalation.ts';
export { AppComponent } from './apps/app-component.ts';
export { appDialogs } from './apps/apps.ts';
export { type GivenRequest, gather, type Unprepared } from './apps/prepared.ts';
export type { AppDialog, AppEnding, AppOptions, Asked } from './asking/app-dialog.ts';
export { firstOf, isSignedIn, networkIn, numberInToken, numberOfSender, parsePhoneNumber } from './asking/caller.ts';
export { makeQuestion, type Question, type Reading } from './asking/question.ts';
export { optionsFor } from './asking/wishes.ts';
export { makeConversation } from './chat/conversation.ts';
export { appInputs, appOutputs, flowActionInputs, flowActionOutputs } from './hosts/app-inputs.ts';
export { type FlowAct, type FlowRun, type FlowRunState, makeFlowRun } from './hosts/flow-run.ts';
export { deliverAnyway, guestMemory, makeGuestDialogs, makeGuestFlows } from './hosts/guest.ts';
export { carryNews, type GuestHost } from './hosts/guest-dialog.ts';
export type { CallerOptions, GuestDialogs, GuestFlowOptions, GuestFlowOutcome, GuestOptions, GuestOutcome } from './hosts/guest-types.ts';
export { type SettleBillOutcome, settleBill, type VerifyThenOptions, type VerifyThenOutcome, verifyThen } from './hosts/recipes.ts';
export { type OwnTexts, replacementFaults } from './language/message-faults.ts';
export { dayIn, readAmount, readDate, readNumber } from './language/readings.ts';
export { namedIn, pickedBy, specificityOf, vocabularyBeside } from './language/recogniser.ts';
export {
  type ChatLanguage,
  chatLanguages,
  makeTexts,
  makeTextsFor,
  messagesOf,
  type TextsOptions,
  type Way,
} from './language/texts.ts';
export { corrected, type KnownWords } from './language/typos.ts';
export { comparable, isSpaceless, unaccented, withOrWithoutArticle } from './language/words.ts';
export { asActivity, say } from './turn/activities.ts';
export { type AppTitles, appTitles, demoForms, type FormEntry, formEntry, formTitle } from './turn/catalogue.ts';
export type { DescribedFlow, FlowEnding, Flows, FlowWish, OfferedFlow } from './turn/offered-flows.ts';
export type { CallerResolver, CallerServices, Services } from './turn/services.ts';
export { type Turn, turnOf } from './turn/turn.ts';
export { isVerifiedFor, proofsOf } from './turn/verified.ts';
export { interruption } from './waiting/interruption.ts';

/** The folder of the flows that come with the bot: beside this module, both in the sources and in a bundle. */
export const flowsFolder: string = fileURLToPath(new URL('./flows', import.meta.url));
