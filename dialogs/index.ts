// The dialogs' public interface: the conversation over the five apps, its services, and the parts of flows.
import { fileURLToPath } from 'node:url';

export { toAgent } from './agents/escalation.ts';
export { AppComponent } from './apps/app-component.ts';
export { appDialogs } from './apps/apps.ts';
export { interactionIn } from './apps/gathered.ts';
export { type GivenRequest, gather, type Unprepared } from './apps/prepared.ts';
export type { AppDialog, AppEnding, AppOptions, Asked } from './asking/app-dialog.ts';
export { firstOf, isSignedIn, networkIn, numberInToken, numberOfSender } from './asking/caller.ts';
export { makeQuestion, type Question, type Reading } from './asking/question.ts';
export { optionsFor } from './asking/wishes.ts';
export { makeConversation } from './chat/conversation.ts';
export { mayTalkIn, readTurn, turnedAway } from './chat/incoming.ts';
export { appInputs, appOutputs, flowActionInputs, flowActionOutputs } from './hosts/app-inputs.ts';
export type { CallerOptions, GuestDialogs, GuestFlowOptions, GuestFlowOutcome, GuestOptions, GuestOutcome } from './hosts/guest-types.ts';
export { appOptionsOf, outcomeOf } from './hosts/guest-values.ts';
export { type OwnTexts, replacementFaults } from './language/message-faults.ts';
export { parsePhoneNumber } from './language/phone-number.ts';
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
export { asActivity, endClick, refuseShared, say } from './turn/activities.ts';
export { type AppTitles, appTitles, demoForms, type FormEntry, formEntry, formTitle } from './turn/catalogue.ts';
export { type ChatState, type Memory, remember } from './turn/memory.ts';
export { callerIn, type DescribedFlow, type FlowEnding, type Flows, type FlowWish, type OfferedFlow } from './turn/offered-flows.ts';
export type { Choice } from './turn/question-state.ts';
export type { CallerResolver, CallerServices, Services } from './turn/services.ts';
export { causeOf, continuable, makeStacks, type StoredTurn } from './turn/stacks.ts';
export { carryTurn, innermost, isShared, type Turn, turnOf } from './turn/turn.ts';
export { isVerifiedFor, proofsOf } from './turn/verified.ts';
export { interruption } from './waiting/interruption.ts';
export { deliverOutcome } from './waiting/outcome.ts';

/** The folder of the flows that come with the bot: beside this module, both in the sources and in a bundle. */
export const flowsFolder: string = fileURLToPath(new URL('./flows', import.meta.url));
