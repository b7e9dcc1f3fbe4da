// What the page stores in the browser: the chosen language, and how to get back into the conversation.

/** Storage that a browser may refuse; the page then works without it. */
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
    // Private modes may refuse to store anything.
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
 * This tab's conversation, and the one that was last left in any tab: `{ token, conversationId, userId }`. An old token
 * is renewed only in the browser session that it was made for, whose cookie no script can read, and for at most twelve
 * hours.
 */
export const conversation = {
  ofTab: () => tokenIn(forTab),
  left: () => tokenIn(forGood),
  /** `leaving`: something was said in it, so the customer may want to continue it in another tab. */
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
