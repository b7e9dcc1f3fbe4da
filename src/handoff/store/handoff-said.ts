// What the list of those who wait shows of a customer's words: something that tells what they want, for agents who have
// not looked at the conversation yet.

type SaidLine = Readonly<Record<'from' | 'text', string>>;
/** What events contain of words. `note`: a message that was left. */
interface Said {
  readonly note?: string;
  readonly transcript?: readonly SaidLine[];
  readonly lines?: readonly (string | SaidLine)[];
  readonly message?: { readonly text?: string };
}

/** In place of numbers and addresses: whoever opens the conversation reads them, and that is recorded. */
const left = '•••';
const shown = (text: string): string =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => (/[@\p{Nd}]/u.test(word) ? left : word))
    .filter((word, index, all) => word !== left || all[index - 1] !== left)
    .join(' ');
/** Shorter words answer the bot, or ask for a person. */
const least = 10;
const most = 120;

/** The events with words of the customer; in others a message or a note is an agent's. */
const customers: ReadonlySet<string> = new Set(['requested', 'waited', 'message']);

/** The column to set for an event that contains words of the customer. */
export const saidIn = (type: string, data: object): { readonly said?: string } => {
  if (!customers.has(type)) return {};
  const { lines = [], message, note, transcript = [] } = data as Said;
  const theirs = [...transcript, ...lines].flatMap((line) => (typeof line === 'object' && line.from === 'customer' ? [line.text] : []));
  const all = note !== undefined ? [note] : message?.text !== undefined ? [message.text] : theirs.slice(-3);
  const [longest = ''] = all.map(shown).sort((one, other) => other.length - one.length);
  if (longest.length < least) return {};
  return { said: longest.length > most ? `${longest.slice(0, most - 1).toWellFormed()}…` : longest };
};
