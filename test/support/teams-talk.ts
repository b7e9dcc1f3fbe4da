// A customer in Teams, through Microsoft's emulator: says things, presses what is shown, and looks at what came.
import { submitsIn } from './channel-talk.ts';
import type { Seen } from './direct-line.ts';
import type { Playground, ShownMessage } from './playground.ts';
import { until } from './until.ts';

/** Every word of a card, in the order in which it stands there. */
export const wordsOnCard = (node: Seen): string => {
  if (Array.isArray(node)) return node.map(wordsOnCard).join('\n');
  if (typeof node !== 'object' || node === null) return '';
  const { type, text, title, label } = node;
  const own = type === 'TextRun' || type === 'TextBlock' ? [text] : /^(?:Action|Input)\./.test(type ?? '') ? [label ?? title] : [];
  return [...own, ...['inlines', 'items', 'columns', 'body', 'actions'].map((name) => wordsOnCard(node[name]))].filter(Boolean).join('\n');
};

/** What a person reads in a message. */
export const readingOf = ({ card, text = '' }: Pick<ShownMessage, 'card' | 'text'>): string => (card ? wordsOnCard(card) : text);

export interface TeamsTalk {
  say(text: string, fields?: object): Promise<void>;
  /**
   * Presses the newest button of that title, as the client of the emulator would; answers the bot's answer to the
   * click.
   */
  press(title: string | RegExp, fields?: object): Promise<Seen>;
  /** Waits for a message whose words match now, among those since the last thing said. */
  sees(words: RegExp): Promise<ShownMessage>;
  /** The same among all messages. */
  saw(words: RegExp): Promise<ShownMessage>;
  /** The newest button of that title, and the message it stands on. */
  button(title: string | RegExp): { readonly action: Seen; readonly on: string } | undefined;
  messages(): readonly ShownMessage[];
}

export const teamsTalk = (playground: Playground, conversation = playground.config.personalChat.id): TeamsTalk => {
  let mark = 0;
  const messages = () => playground.shown(conversation);
  const button = (title: string | RegExp) => {
    const matches = (action: Seen) => {
      const name = action.title.replace(/^\d+, /, '');
      return typeof title === 'string' ? name === title || name.startsWith(`${title},`) : title.test(name);
    };
    const found = messages().flatMap(({ card, id }) => submitsIn(card).map((action) => ({ action, on: id })));
    return found.findLast(({ action }) => matches(action));
  };
  const find = (words: RegExp, from: number) =>
    until(
      () =>
        messages()
          .slice(from)
          .find((message) => words.test(readingOf(message))),
      `a message in Teams like ${words}`,
    );
  return {
    messages,
    button,
    say: async (text, fields) => {
      mark = messages().length;
      await playground.say(conversation, text, fields);
    },
    press: async (title, fields) => {
      const { action, on } = await until(() => button(title), `the button ${title}`);
      mark = messages().length;
      return playground.click(conversation, on, action, fields);
    },
    sees: (words) => find(words, mark),
    saw: (words) => find(words, 0),
  };
};
