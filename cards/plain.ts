// What makes text of strangers safe to show: customers, services and forms may put anything into their strings.

// Control and line characters, and the marks that reverse or hide text (Unicode bidirectional controls, UTS 55).
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const unprintable = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/;
/** What a tidy line has none of; both at once, because nearly every text is tidy, and a card has dozens. */
const untidy = new RegExp(`${unprintable.source}|  `);
const gaps = new RegExp(`(?:${unprintable.source}| )+`, 'g');

/** The text on one line, with nothing in it that is not to be seen, cut at `limit` characters. */
export const oneLine = (text: string, limit = 300) => {
  const line = (untidy.test(text) ? text.replace(gaps, ' ') : text).trim();
  return line.length > limit ? `${line.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
};

/**
 * For languages that are written from the right: a plus sign stays before its number, where it would stand behind it,
 * the dollar of `US$` behind its letters, and the stop of an initial behind that. The mark (U+200E) is put in last, for {@link oneLine} takes out all that
 * come from elsewhere.
 */
export const signsFirst = (text: string) =>
  text
    .replace(/\+(?=\d)/g, '\u200E+')
    .replace(/(?<=[A-Z])\$/g, '$$\u200E')
    .replace(/(?<![A-Za-z])[A-Z]\.(?!\u200E)/g, '$&\u200E');

// Hosts replace {{DATE(…)}} and {{TIME(…)}} in every text, markdown or not.
const dateFunctions = /\{\{(?=(?:DATE|TIME)\()/g;

/** For hosts that show text as it is: one line, with the host's own functions broken by a zero-width character. */
export const literal = (text: string, limit?: number) => {
  const line = oneLine(text, limit);
  return line.includes('{{') ? line.replace(dateFunctions, '{\u200B{') : line;
};

// Active inside a line; the dot, the colon and the slash only where they could make an address of bare text.
const inline = /[\\`*_~<>&[\](){}|@]|\.(?=\S)|:(?=\/)|\/(?=\/)/g;

// Brackets are written as entities: some hosts take `\[` and `\(` as the beginning of a formula.
const asEntity = /[<>&[\]()]/;
const escapeCharacter = (character: string) => (asEntity.test(character) ? `&#${character.charCodeAt(0)};` : `\\${character}`);

/**
 * For places that hosts read as markdown (CommonMark with links found in bare text): renders as exactly this text on
 * one line. Where there is a choice, put text of strangers into a TextRun instead: it is not markdown anywhere.
 */
export const escapeMarkdown = (text: string, limit?: number) => {
  const line = oneLine(text, limit);
  return special.test(line) ? escaped(line) : line;
};

/** Every character that needs escaping somewhere, or a digit at the start. */
const special = /^\d|[\\`*_~<>&[\](){}|@.:/#+=-]/;

const escaped = (line: string) =>
  line
    .replace(inline, escapeCharacter)
    // Headings, lists and rules begin a line; so does a number with its dot.
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d+)\.(?= |$)/, '$1\\.');

// Which addresses a customer may be sent to.

/** Names of this machine, which nobody else can answer to: what a service that is tried out here links to. */
const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * The address if it shows where it leads (no credentials in front of the host) and is an https one, or an http one of
 * this machine; else `undefined`.
 */
export const safeLink = (address: string | undefined): string | undefined => {
  if (address === undefined || address.length > 2000 || !URL.canParse(address)) return undefined;
  const { protocol, hostname, username, password, href } = new URL(address);
  const safe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  return safe && username === '' && password === '' ? href : undefined;
};

// Names made for programs, as people would write them.

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
