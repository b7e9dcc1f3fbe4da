// What the desk says, per language, and which language a browser is spoken to in.
import en from './locales/en.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };

export type DeskTexts = typeof en;
type DeskLanguage = 'en' | 'es';

export const deskTexts = { en, es } satisfies Record<DeskLanguage, DeskTexts>;

/** The first language of ours that a browser names (RFC 9110, 12.5.4); browsers name what they like best first. */
export const deskLanguage = (acceptLanguage: string | undefined): DeskLanguage => {
  const named = (acceptLanguage ?? '').split(',').map((range) => range.trim().split(/[-;]/, 1)[0]?.toLowerCase());
  return named.find((name): name is DeskLanguage => name !== undefined && Object.hasOwn(deskTexts, name)) ?? 'en';
};
