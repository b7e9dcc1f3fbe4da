// A customer in a chat: wants something, answers what they are asked, sometimes says something else, and looks until
// the outcome is there.
import { setTimeout as pause } from 'node:timers/promises';
import { type AppId, appIds } from '../../src/contract/index.ts';
import type { Seen } from '../support/direct-line.ts';
import { wordsOf } from '../support/words.ts';
import type { Devices } from './device.ts';
import { type Line, openLine } from './line.ts';
import type { Chance } from './random.ts';

export interface CustomerOptions {
  readonly name: string;
  /** E.164; theirs alone. */
  readonly phoneNumber: string;
  readonly chance: Chance;
  readonly base: () => string;
  readonly devices: Devices;
  /** When they lose patience, as `performance.now()` tells it. */
  readonly until: number;
}

/** What one customer did and saw. */
export interface Story {
  readonly name: string;
  readonly conversationId: string;
  /** How often they said "send": under different names, so a message that went out again is one. */
  readonly confirms: number;
  /** Their messages that the chat has taken: the activities' ids. */
  readonly acknowledged: readonly string[];
  /** How many endings they were told. */
  readonly endings: number;
  readonly line: Line;
}

const wishes: Readonly<Record<AppId, string>> = {
  passkeys: 'passkeys',
  'one-time-passcode': 'one-time passcode',
  'document-signature': 'document signature',
  payments: 'payments',
  'e-form': 'e-form',
};

const variables = { 'variable:accountHolder': 'Mei Tanaka', 'variable:accountEnding': '4711', 'variable:monthlyLimit': '250' };

/** What the bot's last question is, by what it says (dialogs/locales/en.json). */
export const questions = {
  document: /Which document would you like to sign\?/,
  form: /Which form would you like to fill in\?/,
  product: /What would you like to pay for\?/,
  variables: /^Fill in the document/,
  confirm: /^(?:Sign this document|Pay \S+|Fill in this form) on your phone|^Confirm with your passkey|^Get a one-time passcode/,
  phone: /What is your phone number|Which number should I try/,
  again: /What would you like to do now\?|Would you like to try again all the same\?/,
  trouble:
    /does not answer at the moment|has a problem at the moment|too many requests|did not accept this request|did not accept it|because of a fault on our side/,
  menu: /^4\. Pay a bill/m,
  enter: /^Enter your code|Waiting for your code/,
  waiting: /^Waiting for your/,
} as const;
const sends = /^(Text|E-mail) me/;
type Question = keyof typeof questions;

const isBots = (activity: Seen) => activity.type === 'message' && activity.from.role === 'bot';
const notSent = /^(?:The request could not be sent|We cannot tell whether the request was sent|We do not know how this ended)/;
/** Whether a message tells how something ended. */
export const isEnding = (activity: Seen) =>
  isBots(activity) && (activity.channelData?.interaction !== undefined || notSent.test(wordsOf(activity)));

/** What of a question stays once it is answered has no buttons. */
const isOpen = (question: Question, message: Seen) =>
  question === 'confirm' ? buttonOf(message, sends) : question === 'trouble' ? buttonOf(message, 'Menu') : true;

const lastQuestion = (transcript: readonly Seen[]): { question: Question; message: Seen } | undefined => {
  for (const message of transcript.filter(isBots).toReversed()) {
    for (const question of Object.keys(questions) as Question[])
      if (questions[question].test(wordsOf(message)) && isOpen(question, message)) return { question, message };
  }
  return undefined;
};

const brief = ({ text, value, type }: Seen): string => (text ?? JSON.stringify(value) ?? type).slice(0, 60);

const buttonOf = (message: Seen, title: string | RegExp): object | undefined => {
  const card = message.attachments?.find((attachment: Seen) => /adaptive/.test(attachment.contentType))?.content;
  return card?.actions?.find((action: Seen) => (typeof title === 'string' ? action.title === title : title.test(action.title)))?.data;
};

/** Lives through one visit: one or two things wanted, each up to its end. */
export const visit = async ({ name, phoneNumber, chance, base, devices, until }: CustomerOptions): Promise<Story> => {
  const line = await openLine({ base, until });
  const acknowledged: string[] = [];
  let said = 0;
  let confirms = 0;
  const post = async (activity: object) => {
    said += 1;
    acknowledged.push(await line.say(`${name}-${said}`, { type: 'message', ...activity }));
  };
  const say = (text: string) => post({ text });
  const press = (message: Seen, title: string | RegExp, inputs: object = {}) => {
    const data = buttonOf(message, title);
    return data ? post({ value: { ...data, ...inputs } }) : say(String(title));
  };

  const wanted = chance.happens(0.3) ? 2 : 1;
  let app = chance.pick(appIds);
  let transcript: Seen[] = [];
  let chatted = false;
  let typed = 0;
  const endings = () => transcript.filter(isEnding).length;

  const asked = () => {
    chatted = false;
    typed = 0;
    confirms += 1;
    app = chance.pick(appIds);
  };

  const answer = async ({ question, message }: { question: Question; message: Seen }) => {
    switch (question) {
      case 'menu':
        return say(wishes[app]);
      case 'phone':
        return say(phoneNumber);
      case 'document':
        return say('1');
      // Choosing one of these asks for it.
      case 'product':
      case 'form':
        asked();
        return say(question === 'product' ? '1' : 'Feedback');
      case 'variables':
        return press(message, 'Continue', variables);
      case 'confirm':
        asked();
        return chance.happens(0.7) ? press(message, sends) : say('send');
      case 'again':
        app = chance.pick(appIds);
        return press(message, /^Menu$|instead$/);
      case 'trouble':
        return chance.happens(0.5) ? press(message, 'Menu') : say('menu');
      case 'enter':
        return enterCode();
      case 'waiting':
        return wait();
      default:
        return question satisfies never;
    }
  };
  /** Types the code that came, sometimes a wrong one first. */
  const enterCode = async () => {
    if (!chatted) return wait();
    const code = devices.codeFor(phoneNumber);
    if (code === undefined || typed >= 6) return;
    typed += 1;
    await say(chance.happens(0.25) ? '000000' : code);
  };
  const wait = async () => {
    if (chatted) return;
    chatted = true;
    const mood = chance.next();
    if (mood < 0.12) await say('cancel');
    else if (mood < 0.27) await say('resend');
    else if (mood < 0.35) await say('status');
  };

  let before: string | undefined;
  let since = performance.now();
  for (;;) {
    transcript = await line.look();
    if (endings() >= wanted) break;
    if (performance.now() > until) throw new Error(`no ending; the chat ends with ${JSON.stringify(transcript.slice(-12).map(brief))}`);
    const last = lastQuestion(transcript);
    if (last) await answer(last);
    // Nothing to answer, or an answer that led nowhere: after a while anybody says something.
    const mark = JSON.stringify(transcript.at(-1)?.id);
    if (mark !== before) since = performance.now();
    before = mark;
    if (!last && performance.now() - since > 1500) await say('hello');
    await pause(chance.between(40, 120));
  }
  return { name, conversationId: line.conversationId, confirms, acknowledged, endings: endings(), line };
};
