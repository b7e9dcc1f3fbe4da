// The page's texts, in the language that the server chose.
const { canned, texts, name } = document.body.dataset;
const all = JSON.parse(texts ?? '{}');
export const language = document.documentElement.lang || 'en';

/** The operator's name. */
export const brand = name ?? '';

/** The embeddings, overrides and isolates of UAX #9: with them a text can read as another one. */
const reordering = /[\u202a-\u202e\u2066-\u2069]/g;
/** A text whose characters stand in the order of their script. */
export const withoutReordering = (text) => text.replace(reordering, '');

/** Has characters that are written from right to left. */
const leftward = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** A text inside another, whose order it does not change. */
const isolated = (text) => (leftward.test(text) || document.dir === 'rtl' ? `\u2068${text}\u2069` : text);

/** A text with its values filled in; a key without a text is shown as it is. */
export const t = (key, values = {}) => (all[key] ?? key).replace(/\{(\w+)\}/g, (whole, word) => isolated(String(values[word] ?? whole)));

const answers = JSON.parse(canned ?? '{}');

/** Quick answers in the customer's language (BCP 47), with the agent's name. */
export const cannedIn = (spoken, agent) =>
  (answers[spoken.split('-')[0]] ?? answers[language] ?? []).map((text) => text.replaceAll('{agent}', agent));

/** Whether the text exists. */
export const has = (key) => Object.hasOwn(all, key);

/** The text for a word from the server, or the word itself if it is unknown. */
export const named = (kind, word) => (has(`${kind}.${word}`) ? t(`${kind}.${word}`) : word);

const clock = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });
const dated = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
const day = new Intl.DateTimeFormat(language, { weekday: 'long', day: 'numeric', month: 'long' });
const languages = new Intl.DisplayNames([language], { type: 'language', fallback: 'code' });
const numbers = new Intl.NumberFormat(language);
const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });

const hours = new Intl.DateTimeFormat(language, { hour: 'numeric' });
export const hourOf = (at) => hours.format(at);
export const clockOf = (at) => clock.format(at);
export const dayOf = (at) => day.format(at);
/** The time, with the date if it is not today. */
export const timeOf = (at) => (dayOf(at) === dayOf(Date.now()) ? clock : dated).format(at);
export const iso = (at) => new Date(at).toISOString();
export const number = (value) => numbers.format(value);
export const money = ({ amount, currency }) => new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount);
export const percent = (share) => percents.format(share);

export const languageName = (code) => {
  try {
    return languages.of(code) ?? code;
  } catch {
    return code;
  }
};

const units = ['hour', 'minute', 'second'].map((unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' }));

/** A duration in at most `most` units. */
export const lengthOf = (ms, most = 2) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const from = parts.findIndex((part) => part > 0);
  if (from < 0) return units[2].format(0);
  return parts
    .slice(from, from + most)
    .map((part, index) => (part > 0 || index === 0 ? units[from + index].format(part) : ''))
    .join(' ')
    .trim();
};

/** A countdown: minutes and seconds. */
export const countdown = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};
