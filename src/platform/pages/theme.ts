// A theme: the name, logo, colours and links of a brand, in one YAML file with the logo beside it.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { FieldError } from '../http/http-problem.ts';
import { describeIssues, plainly } from '../settings/issues.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { parseFile } from '../settings/yaml-file.ts';
import { type Colour, contrast, mix } from './contrast.ts';

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as "#0b6b62"')
  .toLowerCase();

const palette = z.strictObject({
  /** For buttons, marks and the focus ring. */
  accent: colour,
  /** Text on the accent. */
  text: colour.optional(),
  /** Links, where the accent is not readable on the page. */
  link: colour.optional(),
});

const link = z.url({ protocol: /^https$/, error: 'must be an address such as https://www.example.com/privacy' });

const themeFile = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(60, 'must have 60 characters at most').optional(),
  logo: z.string().min(1, 'must not be empty').optional(),
  colours: z.strictObject({ light: palette, dark: palette }).optional(),
  links: z
    .strictObject({
      privacy: link.optional(),
      terms: link.optional(),
      support: z.url({ protocol: /^(?:https|mailto|tel)$/, error: 'must be an address such as https://… or mailto:… or tel:…' }).optional(),
    })
    .optional(),
});

/** The colours of the light or the dark scheme, each readable where it is used. */
export interface Palette {
  readonly accent: Colour;
  readonly text: Colour;
  readonly link: Colour;
  /** A background with a hint of the accent. */
  readonly soft: Colour;
}

export interface Theme {
  readonly name?: string | undefined;
  readonly logo?: Logo | undefined;
  /** Those of both schemes. */
  readonly colours?: { readonly light: Palette; readonly dark: Palette } | undefined;
  /** Where customers read the terms and find help: `https:`; for help also `mailto:` and `tel:`. */
  readonly links?:
    | { readonly privacy?: string | undefined; readonly terms?: string | undefined; readonly support?: string | undefined }
    | undefined;
}

export type Colours = NonNullable<Theme['colours']>;
export type Links = NonNullable<Theme['links']>;

/** A theme file that cannot be used, with every mistake in it. */
export class ThemeUnusable extends Error {
  override readonly name = 'ThemeUnusable';
  readonly code = 'theme_unusable';
  readonly errors: readonly FieldError[];
  constructor(errors: readonly FieldError[]) {
    super('theme_unusable');
    this.errors = errors;
  }
}

/** The contrast that text needs (WCAG 2.2, 1.4.3, level AA). */
const least = 4.5;

/** The default backgrounds of pages (assets/tokens.css), and the text on an accent where the file names none. */
const pages = {
  light: { grounds: ['#ffffff', '#f5f8f7'], text: '#ffffff', softness: 0.12 },
  dark: { grounds: ['#11181b', '#0e1517'], text: '#06201d', softness: 0.16 },
} as const;

/**
 * Reads and checks a theme; `place` names the file in messages.
 * @throws {ThemeUnusable} for mistakes inside it
 * @throws {SettingsError} for a file that cannot be read or is not YAML
 */
export const readTheme = (file: string, place: string): Theme => {
  const parsed = themeFile.safeParse(parseFile(file, place), { error: plainly });
  if (!parsed.success) throw new ThemeUnusable(describeIssues(parsed.error));
  const content = parsed.data;
  const errors: FieldError[] = [];
  const logo = content.logo === undefined ? undefined : logoAt(resolve(dirname(file), content.logo), errors);
  const colours = content.colours && {
    light: readable('light', content.colours.light, errors),
    dark: readable('dark', content.colours.dark, errors),
  };
  if (errors.length > 0) throw new ThemeUnusable(errors);
  return { name: content.name, logo, colours, links: content.links };
};

/**
 * The theme that a setting names.
 * @throws {SettingsError} one line per mistake: setting, file, place in the file, reason.
 */
export const loadTheme = (file: string, setting: string): Theme => {
  try {
    return readTheme(resolve(file), `${setting}: ${file}`);
  } catch (fault) {
    if (!(fault instanceof ThemeUnusable)) throw fault;
    throw new SettingsError(fault.errors.map(({ path, message }) => `${setting}: ${file}: ${path || 'the file'}: ${message}.`));
  }
};

const logoAt = (file: string, errors: FieldError[]): Logo | undefined => {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch {
    errors.push({ path: 'logo', message: 'cannot be read' });
    return undefined;
  }
  const logo = readLogo(content);
  if (!('wrong' in logo)) return logo;
  errors.push({ path: 'logo', message: logo.wrong });
  return undefined;
};

/** The colours with those derived from them. Adds an error for each that would not be readable. */
const readable = (half: 'dark' | 'light', given: z.output<typeof palette>, errors: FieldError[]): Palette => {
  const { grounds, softness, ...preset } = pages[half];
  const { accent, text = preset.text, link = accent } = given;
  const soft = mix(accent, softness, grounds[0]);
  const check = (key: string, what: string, ratio: number) => {
    // Rounded down, so that a reported ratio that is high enough really is.
    const shown = Math.floor(ratio * 100) / 100;
    if (ratio < least)
      errors.push({ path: `colours.${half}.${key}`, message: `${what} has a contrast of ${shown} to 1, and ${least} is the least` });
  };
  check(given.text === undefined ? 'accent' : 'text', `text (${text}) on the accent (${accent})`, contrast(text, accent));
  const worst = Math.min(...[...grounds, soft].map((ground) => contrast(link, ground)));
  check(given.link === undefined ? 'accent' : 'link', `a link (${link}) on the page`, worst);
  return { accent, text, link, soft };
};

/** Bytes that a logo may have: everything on the first page of a phone shares 60 KB. */
const largestLogo = 40 * 1024;

/** A picture small enough for a phone, and nothing but a picture. */
export interface Logo {
  readonly content: Buffer;
  readonly type: 'image/png' | 'image/svg+xml';
}

const pngBegins = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A file as a logo, or the reason why it is not one. */
export const readLogo = (content: Buffer): Logo | { readonly wrong: string } => {
  if (content.length > largestLogo)
    return { wrong: `must have ${largestLogo / 1024} KB at most, and has ${Math.ceil(content.length / 1024)}` };
  if (content.subarray(0, pngBegins.length).equals(pngBegins)) return { content, type: 'image/png' };
  const text = content.toString('utf8').replace(/^\ufeff/, '');
  if (!/^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg[\s>]/.test(text)) return { wrong: 'must be an SVG or a PNG' };
  const found = dangers.find(([pattern]) => pattern.test(text));
  return found ? { wrong: `must be a picture and nothing else: it has ${found[1]}` } : { content, type: 'image/svg+xml' };
};

/**
 * Constructs that could run or load something, or hide that they do. A browser runs none of them in an image, but
 * people also open such files directly. Stricter than necessary to stay readable: a logo can be exported without them.
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
