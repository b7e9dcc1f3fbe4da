// Words that can only be meant for the bot, while a person who reads the chat is awaited or a message may be left.
import { appIds, apps, isAppId } from '../../src/contract/index.ts';
import { hidden, isPartOfCode, withoutSecrets } from '../../src/platform/text/possible-codes.ts';
import { bareCommandIn, bareRemarkIn, commandIn, remarkIn, wishesIn } from '../language/recogniser.ts';
import { comparable, phrasesOf, wholly, wordsSaid } from '../language/words.ts';
import type { DialogContext } from '../sdk.ts';
import { languageAskedFor } from '../turn/language.ts';
import { pickedAmong } from '../turn/question-state.ts';
import { innermost, type Turn } from '../turn/turn.ts';

/** Whether the words are nothing but the name of an app or of a flow. */
const isName = ({ services, t }: Turn, text: string): boolean => {
  const said = wordsSaid(text, t, ['phrases.please', 'phrases.courtesy']);
  const names = appIds.flatMap((app) => [app, t(`apps.${app}.name`), t(`menu.titles.${app}`)]);
  const flows = (services.flows?.offered(t) ?? []).map(({ title }) => title);
  return (
    [...names, ...flows].some((name) => said.includes(comparable(name))) ||
    wholly(said, appIds, (app) => phrasesOf(t, `phrases.apps.${app}`)) !== undefined
  );
};

/**
 * Whether the words are nothing but a command, a courtesy, a language, or the name of an app or a flow. A sentence that
 * only contains such words may be meant for the person: "I cannot pay my bill" begins no payment.
 */
export const isPlainRequest = (turn: Turn, text: string): boolean =>
  bareCommandIn(text, turn.t) !== undefined ||
  bareRemarkIn(text, turn.t) !== undefined ||
  isName(turn, text) ||
  languageAskedFor(text, turn.services.textsFor) !== undefined;

/** Six characters with a digit among them may be a passcode, and fewer digits alone a part of one, which is held back. */
const mayHoldCode = (text: string) =>
  isPartOfCode(text) || withoutSecrets(text).includes(hidden) || text.split(/\s+/).some((word) => /^(?=.*\d)\S{6}[.,!?]?$/.test(word));

/** Whether the typed text is for a request that waits for a code in this chat: agents must not see it. */
export const isForWait = (dc: DialogContext, text: string): boolean => {
  const app = dc.activeDialog?.id;
  return innermost(dc)?.id === 'wait' && isAppId(app) && apps[app].answeredIn === 'chat' && mayHoldCode(text);
};

/** Whether the words are such a request, or answer the open question. */
export const isForBot = (dc: DialogContext, turn: Turn, text: string): boolean => {
  const open = innermost(dc);
  if (isPlainRequest(turn, text) || (open && pickedAmong(turn, text, open.state))) return true;
  // A number answers a question, unless that is the menu.
  return (open !== undefined && open.id !== 'menu' && !/\p{L}/u.test(text)) || isForWait(dc, text);
};

/** Whether the bot finds anything in the words that it could do. */
export const isUnderstood = (turn: Turn, text: string): boolean =>
  commandIn(text, turn.t) !== undefined ||
  remarkIn(text, turn.t) !== undefined ||
  wishesIn(text, turn.t).length > 0 ||
  turn.services.flows?.wishIn(turn, text) !== undefined;
