// The dialogs' public interface: the conversation over the five apps, its services, and the parts of flows.
import { fileURLToPath } from 'node:url';

export { AppComponent } from './apps/app-component.ts';
export { appDialogs } from './apps/apps.ts';
export { interactionIn } from './apps/gathered.ts';
export { type GivenRequest, gather, type Unprepared } from './apps/prepared.ts';
export { destinationOf, planOf } from './apps/sending.ts';
export type { AppDialog, AppEnding, AppOptions, Asked, Gathered, Values } from './asking/app-dialog.ts';
export { firstOf, isSignedIn, networkIn, numberInToken, numberOfSender } from './asking/caller.ts';
export { isForBot, isForWait, isUnderstood } from './asking/for-bot.ts';
export { makeQuestion, type Question, type Reading } from './asking/question.ts';
export { optionsFor, titleOf } from './asking/wishes.ts';
export { makeConversation } from './chat/conversation.ts';
export { mayTalkIn, readTurn, turnedAway } from './chat/incoming.ts';
export { askAgain, goOnWithBot } from './chat/next-dialog.ts';
export * from './escalation/case.ts';
export { eventHandoff, type Handoff, initiateHandoff } from './escalation/event-handoff.ts';
export { inertLine } from './escalation/inert-line.ts';
export { caseOf, toAgent } from './escalation/to-agent.ts';
export { appInputs, appOutputs, flowActionInputs, flowActionOutputs } from './hosts/app-inputs.ts';
export type { CallerOptions, GuestDialogs, GuestFlowOptions, GuestFlowOutcome, GuestOptions, GuestOutcome } from './hosts/guest-types.ts';
export { appOptionsOf, outcomeOf } from './hosts/guest-values.ts';
export { type OwnTexts, replacementFaults } from './language/message-faults.ts';
export { parsePhoneNumber } from './language/phone-number.ts';
export { dayIn, readAmount, readDate, readNumber } from './language/readings.ts';
export { bareCommandIn, bareRemarkIn, namedIn, pickedBy, specificityOf, vocabularyBeside } from './language/recogniser.ts';
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
export { comparable, isSpaceless, phrasesOf, unaccented, wholly, withOrWithoutArticle, wordsSaid } from './language/words.ts';
export {
  answerClick,
  asActivity,
  type Extras,
  endClick,
  longestPassedOn,
  refuseShared,
  say,
  takeBack,
  unread,
  wordsIn,
} from './turn/activities.ts';
export { type AppTitles, appTitles, demoForms, type FormEntry, formEntry, formTitle } from './turn/catalogue.ts';
export { type ChatState, type Memory, remember } from './turn/memory.ts';
export { callerIn, type DescribedFlow, type FlowEnding, type Flows, type FlowWish, type OfferedFlow } from './turn/offered-flows.ts';
export type { Choice } from './turn/question-state.ts';
export type { CallerResolver, CallerServices } from './turn/services.ts';
export { causeOf, continuable, makeStacks, type StoredTurn } from './turn/stacks.ts';
export { awaitsAgent, carryTurn, hasAgent, innermost, isShared, isSkill, openIn, type Services, type Turn, turnOf } from './turn/turn.ts';
export { endProofs, isVerifiedFor, proofsOf, verificationOf } from './turn/verified.ts';
export { interruption } from './waiting/interruption.ts';
export { deliverOutcome, passOver } from './waiting/outcome.ts';

/** The folder of the flows that come with the bot: beside this module, both in the sources and in a bundle. */
export const flowsFolder: string = fileURLToPath(new URL('./flows', import.meta.url));
