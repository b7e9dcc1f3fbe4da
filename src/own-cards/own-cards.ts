// An operator's own cards in place of ours (CARDS_DIR): Adaptive Card templates (learn.microsoft.com, "Adaptive Cards
// Templating"), one file for each kind of card. Loaded only where there are any: the library is large.
// A template makes a card's body alone: buttons belong to the conversation, and what an unverified chat may not show
// (decision 0008) is not passed to it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { GlobalSettings, Template } from 'adaptivecards-templating';
import { type CardKind, cardKinds, escapeMarkdown, literal, type Texts } from '../../cards/index.ts';
import { makeTexts } from '../../dialogs/index.ts';
import { cardSamples } from '../gallery/samples.ts';
import { faultFields, type Log } from '../platform/log.ts';
import { type JsonFile, readJson } from '../platform/settings/json-file.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { didYouMean } from '../platform/text/did-you-mean.ts';
import { ownValue } from '../platform/text/own-value.ts';

export type Redraw = NonNullable<Texts['redraw']>;
type Shown = Parameters<Redraw>[1];
type Body = ReturnType<Redraw>;

// What the library would leave as `${name}` where nothing has that name; no text of ours has these characters.
const [absent, end] = ['\uE000', '\uE001'];
GlobalSettings.getUndefinedFieldValueSubstitutionString = (path: string) => `${absent}${path}${end}`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Actions and inputs are put onto the card as they are. */
const isReady = (value: unknown) => isObject(value) && typeof value.type === 'string';

/** What a card shows, with every text as it may stand there; what is not known is empty. */
const filled = (value: unknown, written: (text: string) => string): unknown => {
  if (value === undefined) return '';
  if (typeof value === 'string') return written(value);
  if (!isObject(value) || isReady(value)) return value;
  if (Array.isArray(value)) return value.map((one) => filled(one, written));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, written)]));
};

/** Hosts read every text as markdown but that of a TextRun, which keeps its own. */
const withRuns = (escaped: unknown, plain: unknown): unknown => {
  if (Array.isArray(escaped)) return escaped.map((one, index) => withRuns(one, Array.isArray(plain) ? plain[index] : undefined));
  if (!isObject(escaped)) return escaped;
  const other = isObject(plain) ? plain : {};
  if (escaped.type === 'TextRun' && other.type === 'TextRun') return { ...escaped, text: other.text };
  return Object.fromEntries(Object.entries(escaped).map(([key, inner]) => [key, withRuns(inner, ownValue(other, key))]));
};

/** The body that a template makes of what a card shows. */
const drawn = (template: Template, shown: Shown): Body => {
  const expanded = (written: (text: string) => string): unknown => template.expand({ $root: filled(shown, written) as object });
  const whole = withRuns(
    expanded(escapeMarkdown),
    expanded((text) => literal(text, 1000)),
  );
  return (whole as { readonly body: Body }).body;
};

/** Every text in a value, with where it stands. */
const textsIn = (value: unknown, path: readonly (string | number)[] = []): { text: string; path: readonly (string | number)[] }[] => {
  if (typeof value === 'string') return [{ text: value, path }];
  if (Array.isArray(value)) return value.flatMap((one, index) => textsIn(one, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, inner]) => textsIn(inner, [...path, key])) : [];
};

/** What can be pressed or filled in, by what its answer is known by. */
const answersIn = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(answersIn);
  if (!isObject(value)) return [];
  const { type, id, data } = value;
  const own =
    String(type).startsWith('Input.') && typeof id === 'string'
      ? [id]
      : isObject(data) && typeof data.action === 'string'
        ? [data.action]
        : [];
  return [...own, ...Object.values(value).flatMap(answersIn)];
};

interface Fault {
  readonly line: number;
  readonly message: string;
}

/** What is wrong with a file before anything is filled in. */
const shapeFaults = ({ value, faults, lineOf }: JsonFile): readonly Fault[] => {
  if (faults.length > 0) return faults;
  if (!isObject(value) || value.type !== 'AdaptiveCard' || !Array.isArray(value.body))
    return [{ line: 1, message: 'must be an Adaptive Card: "type": "AdaptiveCard" and a list of elements as "body"' }];
  const unreadable = (text: string, path: readonly (string | number)[]): Fault => ({
    line: lineOf(path),
    message: `has an expression that cannot be read: ${text}`,
  });
  // It would run JavaScript's regular expressions, which a customer's words can keep busy for minutes.
  const regularIn = (text: string, path: readonly (string | number)[]): readonly Fault[] =>
    text.includes('${') && /\bisMatch\b/.test(text)
      ? [{ line: lineOf(path), message: 'must not use isMatch: compare with ==, contains, startsWith or endsWith' }]
      : [];
  const typeless = value.body.findIndex((element) => !isReady(element) && typeof element !== 'string');
  return [
    ...(value.actions === undefined
      ? []
      : [{ line: lineOf(['actions']), message: 'must have no "actions": the conversation puts its buttons below the body' }]),
    ...(typeless < 0 ? [] : [{ line: lineOf(['body', typeless]), message: 'must have a "type" in every element' }]),
    ...textsIn(value).flatMap(({ text, path }) => {
      try {
        new Template({ text });
        // What is not closed is no expression to the library, and would be shown.
        return text.lastIndexOf('${') > text.lastIndexOf('}') ? [unreadable(text, path)] : regularIn(text, path);
      } catch {
        return [unreadable(text, path)];
      }
    }),
  ];
};

/** What is wrong with what a template makes of each of our samples of its kind. */
const drawnFaults = (kind: CardKind, template: Template, { value, lineOf }: JsonFile): readonly Fault[] => {
  const found = new Map<string, Fault>();
  const tell = (line: number, message: string) => found.set(message, { line, message });
  const lineWith = (words: string) => lineOf(textsIn(value).find(({ text }) => text.includes(words))?.path ?? []);
  const check: Redraw = (sample, shown) => {
    if (sample !== kind) return undefined;
    try {
      const body = drawn(template, shown);
      for (const [, path = ''] of JSON.stringify(body).matchAll(new RegExp(`${absent}([^${end}]*)${end}`, 'g')))
        tell(lineWith(path), `\${${path}} is nothing that this card shows: it has ${Object.keys(shown).join(', ')}`);
      const answers = answersIn(body);
      const lost = answersIn(Object.values(shown)).filter((answer) => !answers.includes(answer));
      if (lost.length > 0)
        tell(1, `must put onto the card ${shown.inputs ? 'every one of its "inputs"' : 'the "press" of every choice, as a selectAction'}`);
    } catch (fault) {
      tell(1, `cannot be filled in: ${fault instanceof Error ? fault.message : fault}`);
    }
    return undefined;
  };
  for (const language of ['en', 'ar']) cardSamples(makeTexts(language, { redraw: check }));
  return [...found.values()];
};

/**
 * The cards in a folder, by their kinds. Hidden files are left alone. A card that cannot be made after all is ours, and
 * the log says so.
 * @throws {SettingsError} with a line for everything that is wrong in any of the files.
 */
export const readOwnCards = (folder: string, log: Log): Redraw => {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (cause) {
    throw new SettingsError([`CARDS_DIR: the folder ${folder} cannot be read.`], { cause });
  }
  const lines: string[] = [];
  const templates = new Map<CardKind, Template>();
  for (const name of names.toSorted()) {
    const kind = cardKinds.find((one) => `${one}.json` === name);
    if (kind === undefined) {
      const { hint } = didYouMean(basename(name, '.json'), cardKinds);
      lines.push(
        `CARDS_DIR: ${name}: is named after no kind of card; ${hint ?? `there are ${cardKinds.slice(0, 3).join(', ')} and others`}`,
      );
      continue;
    }
    const file = readJson(readFileSync(join(folder, name), 'utf8'));
    const wrong = shapeFaults(file);
    const template = wrong.length > 0 ? undefined : new Template(file.value);
    const faults = template ? drawnFaults(kind, template, file) : wrong;
    for (const { line, message } of faults) lines.push(`CARDS_DIR: ${name}: line ${line}: ${message}.`);
    if (template) templates.set(kind, template);
  }
  if (lines.length > 0) throw new SettingsError(lines);
  return (kind, shown) => {
    const template = templates.get(kind);
    if (!template) return undefined;
    try {
      return drawn(template, shown);
    } catch (fault) {
      log.error({ component: 'cards', ...faultFields(fault) }, `the operator's card ${kind} could not be made: ours is shown`);
      return undefined;
    }
  };
};
