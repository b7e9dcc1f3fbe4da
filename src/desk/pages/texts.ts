// The desk's texts in each language.
import { type Language, languages } from '../../platform/text/languages.ts';
import ar from '../locales/ar.json' with { type: 'json' };
import de from '../locales/de.json' with { type: 'json' };
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import fr from '../locales/fr.json' with { type: 'json' };
import ja from '../locales/ja.json' with { type: 'json' };

export type DeskTexts = typeof en;

export const deskTexts = { en, de, es, fr, ar, ja } satisfies Record<Language, DeskTexts>;

/** The quick answers by language: a customer gets theirs in their own language, whatever the agent's. */
export const cannedAnswers: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  languages.map((language) => [
    language,
    Object.entries(deskTexts[language]).flatMap(([key, text]) => (key.startsWith('canned.') ? [text] : [])),
  ]),
);
