// What the pages' scripts take for granted beside the DOM. Which element a selector finds is the page's to say, so it
// is of any type here.
/* biome-ignore-all lint/suspicious/noExplicitAny: see above */

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Document {
  /** Chromium prerenders pages that nobody may ever look at. */
  readonly prerendering?: boolean;
  getElementById(id: string): any;
}

interface EventTarget {
  /** The events that are listened for here come from elements. */
  closest(selectors: string): any;
  removeAttribute(name: string): void;
}

interface Event {
  readonly submitter?: any;
}

interface Window {
  /** Web Chat's own script. */
  readonly WebChat: any;
  /** The card library by itself. */
  readonly AdaptiveCards: any;
}

/** What the server puts before embed.js. */
declare const settings: {
  readonly name: string;
  readonly colours?: Record<'light' | 'dark', { readonly accent: string; readonly text: string }>;
  readonly fallbackLanguage: string;
  readonly texts: Record<string, Record<'open' | 'close' | 'unread', string>>;
};
