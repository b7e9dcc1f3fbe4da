// What somebody wrote, as one line among others that agents trust. Platforms show such lines in their own notes, many
// of them as Markdown: a line may neither begin another one nor be anything but text.

/** Line breaks of any kind (Unicode, UAX #14), and control characters, at some of which renderers break too. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Characters that reorder what follows. */
const reordering = /\p{Bidi_Control}/gu;
/** What begins code, emphasis, a link, an image, HTML, or an entity. */
const markup = /[\\`*[<~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)/gu;
/** What makes bare addresses, and Chatwoot's mentions (`mention://`), links. */
const address = /:(?=\/\/)|@(?=\S)|(?<=[\p{L}\p{N}])\.(?=\p{L})/gu;

/** A text as one line, in which Markdown means nothing. Rendered as Markdown, it reads as it was written. */
export const inertLine = (text: string): string =>
  text
    .trim()
    .replace(/\t/g, ' ')
    .replace(breaks, ' ⏎ ')
    .replace(reordering, '')
    .replace(markup, '\\$&')
    .replace(address, '\\$&')
    .toWellFormed();
