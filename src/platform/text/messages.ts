// ICU messages of one language, each compiled when it is first used.
import { IntlMessageFormat } from 'intl-messageformat';

export type MessageValues = Readonly<Record<string, string | number>>;

/** A message as a function. An unfilled placeholder shows as nothing, because the rest still helps. */
const compileMessage = (message: string, locale: string, always: MessageValues): ((values: MessageValues) => string) => {
  const format = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
  const parts = format.getAst().map((part) => (part.type === 0 ? part.value : part.type === 1 ? { name: part.value } : undefined));
  // Plurals and formatted numbers go through the library; most messages are words and names, which only need joining.
  if (parts.includes(undefined)) {
    const lenient = { has: () => true, get: (all: MessageValues, name: string) => all[name] ?? always[name] ?? '' };
    return (values) => String(format.format(new Proxy(values, lenient)));
  }
  return (values) => {
    let text = '';
    for (const part of parts) text += typeof part === 'object' ? (values[part.name] ?? always[part.name] ?? '') : part;
    return text;
  };
};

/**
 * The messages of a language as one function. `messageOf` gives a key's message, or throws; `always` are values that
 * every message may use.
 */
export const makeMessages = <Key extends string>(messageOf: (key: Key) => string, locale: string, always: MessageValues = {}) => {
  const compiled = new Map<Key, (values: MessageValues) => string>();
  return (key: Key, values: MessageValues = {}): string => {
    const known = compiled.get(key);
    if (known) return known(values);
    const made = compileMessage(messageOf(key), locale, always);
    compiled.set(key, made);
    return made(values);
  };
};
