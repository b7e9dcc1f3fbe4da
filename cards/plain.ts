// Makes untrusted text safe to show: customers, services and forms may put anything into their strings.

// Control and line characters, and the marks that reverse or hide text (Unicode bidirectional controls, UTS 55).
const unprintable = '\\u0000-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069\\uFEFF';
const gaps = new RegExp(`[${unprintable} ]+`, 'g');

/** The text on one line, without invisible characters, cut at `limit` characters. */
export const oneLine = (text: string, limit = 300) => {
  const line = text.replace(gaps, ' ').trim();
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
};

/**
 * For languages that are written from the right: keeps a plus sign before its number instead of behind it, the dollar
 * of `US$` behind its letters, and the full stop of an initial behind the letter. The mark (U+200E) is inserted last,
 * since {@link oneLine} removes all that come from elsewhere.
 */
export const signsFirst = (text: string) =>
  text
    .replace(/\+(?=\d)/g, '\u200E+')
    .replace(/(?<=[A-Z])\$/g, '$$\u200E')
    .replace(/(?<![A-Za-z])[A-Z]\.(?!\u200E)/g, '$&\u200E');

/**
 * For plain messages in such languages: keeps a phone number together and in its order (Unicode isolates, UAX 9), also
 * where the message is laid out from the left.
 */
export const isolateNumbers = (text: string) =>
  text.replace(/\u200E?(\+\d[\d•]*(?: \d+)*|(?<!\d)\d+(?: \d+)+)/g, (_all, number: string) => `\u2066${number}\u2069`);

// Hosts replace {{DATE(…)}} and {{TIME(…)}} in every text, markdown or not.
const dateFunctions = /\{\{(?=(?:DATE|TIME)\()/g;

/** For hosts that show text unchanged: one line, with the host's functions broken by a zero-width character. */
export const literal = (text: string, limit = 300) => oneLine(text, limit).replace(dateFunctions, '{\u200B{');

// Active inside a line; the dot, the colon and the slash only where they could make an address of bare text.
const inline = /[\\`*_~<>&[\](){}|@]|\.(?=\S)|:(?=\/)|\/(?=\/)/g;

// Brackets are written as entities: some hosts take `\[` and `\(` as the beginning of a formula.
const asEntity = /[<>&[\]()]/;
const escapeCharacter = (character: string) => (asEntity.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`);

/**
 * For places that hosts read as markdown (CommonMark with links found in bare text): renders as exactly this text on
 * one line. If there is a choice, put untrusted text into a TextRun instead, which is not markdown anywhere.
 */
export const escapeMarkdown = (text: string, limit?: number) =>
  oneLine(text, limit)
    .replace(inline, escapeCharacter)
    // Headings, lists and rules begin a line; so does a number with its dot.
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d+)\.(?= |$)/, '$1\\.');

// Which addresses a customer may be sent to.

/** Names of this machine, which no other can answer to: a service that is tried out locally links to them. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address if it does not hide its host (no credentials in front of it) and is https, or http on this
 * machine; else `undefined`.
 */
export const safeLink = (address: string | undefined): string | undefined => {
  const parsed = address === undefined || address.length > 2000 ? null : URL.parse(address);
  if (parsed === null) return undefined;
  const { protocol, hostname, username, password, href } = parsed;
  const safe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  return safe && username === '' && password === '' ? href : undefined;
};

// Rewrites names made for programs as people would write them.

/** `contract_start`, `contractStart` and `contract-start` as `Contract start`; keeps capitals (`customer ID`). */
export const humanise = (name: string) => {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.\-/]+/u)
    .filter((word) => word !== '')
    .map((word) => (/^\p{Lu}[\p{Lu}\d]+$/u.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1);
};
