// Sources in ASCII alone: V8 keeps the text of a script that has one other character in two bytes each, and a bundle is
// ten million characters.

const beyond = /\P{ASCII}/u;
/** With what escapes it: `\é` is `é`, and so is the escape without the backslash. */
const each = /(\\*)(\P{ASCII})/gu;
const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

const escaped = (text: string): string =>
  text.replace(each, (_all, backslashes: string, character: string) => {
    const kept = backslashes.length % 2 === 0 ? backslashes : backslashes.slice(1);
    return kept + character.split('').map(escapeOf).join('');
  });

/**
 * A script with other characters as escapes; `undefined` if it has none. esbuild escapes them itself in strings, and not
 * in regular expressions (esbuild.github.io/api/#charset). @throws where a raw template has some: there an escape is
 * another text.
 */
export const inAscii = (file: string, script: string): string | undefined => {
  if (!beyond.test(script)) return undefined;
  if (/String\.raw`[^`]*\P{ASCII}/u.test(script)) throw new Error(`${file} has other characters than ASCII in a raw template.`);
  return escaped(script);
};
