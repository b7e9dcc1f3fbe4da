// A logo beside a theme's file: small enough for a phone, and nothing but a picture.

/** Bytes that a logo may have: with everything else on it, the first page of a phone has 60 KB. */
const most = 40 * 1024;

export interface Logo {
  readonly content: Buffer;
  readonly type: 'image/png' | 'image/svg+xml';
}

const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A file as a logo, or what is wrong with it. */
export const readLogo = (content: Buffer): Logo | { readonly wrong: string } => {
  if (content.length > most) return { wrong: `must have ${most / 1024} KB at most, and has ${Math.ceil(content.length / 1024)}` };
  if (content.subarray(0, pngBegins.length).equals(pngBegins)) return { content, type: 'image/png' };
  const text = content.toString('utf8').replace(/^\ufeff/, '');
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg[\s>]/.test(text)) return { wrong: 'must be an SVG or a PNG' };
  const found = dangers.find(([pattern]) => pattern.test(text));
  return found ? { wrong: `must be a picture and nothing else: it has ${found[1]}` } : { content, type: 'image/svg+xml' };
};

/**
 * What could run or load something, or hide that it does. A browser runs none of it in a picture, but files are opened by themselves as well.
 * Refusing more than has to be keeps this readable: whoever exports a logo can export it without.
 */
const dangers: readonly (readonly [RegExp, string])[] = [
  [/<(?:[\w-]+:)?script/i, 'a script'],
  [/<(?:[\w-]+:)?(?:foreignObject|iframe|embed|object|audio|video|handler|set|animate\w*)[\s/>]/i, 'elements that are no drawing'],
  [/[\s/"']on[a-z]+\s*=/i, 'a script in an attribute'],
  [/<!(?:DOCTYPE|ENTITY|\[CDATA)/i, 'declarations of its own'],
  [/<\?xml-stylesheet/i, 'a style sheet from elsewhere'],
  [/&(?!(?:amp|lt|gt|quot|apos);)/i, 'encoded characters'],
  [/@import|\\/i, 'a style sheet from elsewhere'],
  [/\burl\(\s*["']?(?!#)/i, 'a reference to another file'],
  [/\b(?:href|src)\s*=\s*(?!\s*["'](?:#|data:image\/(?:png|jpeg);base64,))/i, 'a reference to another file'],
];
