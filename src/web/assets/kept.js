// What the page keeps in the browser: the chosen language, and the way back into the conversation.

/** Storage that a browser may refuse; the page then forgets, and works. */
const read = (storage, key) => {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
};
const write = (storage, key, value) => {
  try {
    if (value === undefined) storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Private modes may refuse to keep anything.
  }
};
const forTab = () => sessionStorage;
const forGood = () => localStorage;

const languageKey = 'countersign.language';
const conversationKey = 'countersign.conversation';

export const language = {
  read: () => read(forGood, languageKey),
  write: (chosen) => write(forGood, languageKey, chosen),
};

const tokenIn = (storage) => {
  try {
    return JSON.parse(read(storage, conversationKey) ?? 'null')?.token;
  } catch {
    return undefined;
  }
};

/**
 * The conversation of this tab, and the one that was left last in any: `{ token, conversationId, userId }`. A token
 * that has been kept for long is renewed only in the browser session that it was made for, whose cookie no script can
 * read, and for twelve hours at most.
 */
export const conversation = {
  ofTab: () => tokenIn(forTab),
  left: () => tokenIn(forGood),
  /** `leaving`: something was said in it, so that somebody may want to come back to it from another tab. */
  keep: (kept, { leaving }) => {
    const text = JSON.stringify(kept);
    write(forTab, conversationKey, text);
    if (leaving) write(forGood, conversationKey, text);
  },
  forget: () => {
    write(forTab, conversationKey);
    write(forGood, conversationKey);
  },
};
