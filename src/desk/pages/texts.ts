// The desk's texts in each language, and the language for a browser.
import { preferred } from '../../platform/text/accept-language.ts';
import ar from '../locales/ar.json' with { type: 'json' };
import de from '../locales/de.json' with { type: 'json' };
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import fr from '../locales/fr.json' with { type: 'json' };
import ja from '../locales/ja.json' with { type: 'json' };

export type DeskTexts = typeof en;

export const deskTexts = { en, de, es, fr, ar, ja } satisfies Record<string, DeskTexts>;
type DeskLanguage = keyof typeof deskTexts;

const languages = Object.keys(deskTexts) as DeskLanguage[];

/** The language that a browser asks for, among ours. */
export const deskLanguage = (acceptLanguage: string | undefined): DeskLanguage => preferred(acceptLanguage, languages) ?? 'en';

/** The quick answers by language: a customer gets theirs in their own language, whatever the agent's. */
export const cannedAnswers: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  languages.map((language) => [
    language,
    Object.entries(deskTexts[language]).flatMap(([key, text]) => (key.startsWith('canned.') ? [text] : [])),
  ]),
);
