// The forms a chat can offer. The service's e-form bootstrap lists none, so they are configuration.
import { z } from 'zod';
import { appIds, uuid } from '../../src/contract/index.ts';

/** A title in each language; `en` is what others fall back to. */
const titleIn = z
  .record(z.string(), z.string().trim().min(1, 'must not be empty').max(60, 'must have 60 characters at most'))
  .refine((titles) => 'en' in titles, 'must have an English title under `en`');

/** The operator's titles for the apps, where they replace the built-in ones. */
export const appTitles = z.partialRecord(z.enum(appIds), titleIn);
export type AppTitles = z.output<typeof appTitles>;

/** A form: its identifier, its title in each language (`en` is the fallback), and other names for it. */
export const formEntry = z.strictObject({
  id: uuid,
  title: z
    .record(z.string(), z.string().min(1, 'must not be empty'))
    .refine((titles) => 'en' in titles, 'must have an English title under `en`'),
  /** Per language, the words that customers use for this form. */
  names: z.record(z.string(), z.array(z.string().trim().min(1, 'must not be empty')).max(50, 'must hold 50 names at most')).optional(),
});
export type FormEntry = z.output<typeof formEntry>;

/** The title in a language. */
export const formTitle = ({ title }: Pick<FormEntry, 'title'>, locale: string): string =>
  title[locale] ?? title[locale.split('-')[0] ?? ''] ?? (title.en as string);

/** The forms of the reference service's demo account. */
export const demoForms: readonly FormEntry[] = [
  {
    id: '6f1c0000-0000-4000-8000-000000000001',
    title: {
      en: 'Change of address',
      de: 'Adressänderung',
      es: 'Cambio de domicilio',
      fr: 'Changement d’adresse',
      ar: 'تغيير العنوان',
      ja: '住所変更',
    },
    names: {
      en: ['address', 'moving', 'moved', 'move house'],
      de: ['Adresse', 'Anschrift', 'Umzug', 'umziehen', 'umgezogen'],
      es: ['dirección', 'domicilio', 'mudanza', 'me mudo', 'me he mudado', 'mudarme'],
      fr: ['adresse', 'déménagement', 'déménager', 'déménagé'],
      ar: ['العنوان', 'عنواني', 'عنوان جديد', 'انتقلت', 'سأنتقل'],
      ja: ['住所', '引っ越し', '引越し', '転居'],
    },
  },
  {
    id: '6f1c0000-0000-4000-8000-000000000002',
    title: {
      en: 'Opening an account',
      de: 'Kontoeröffnung',
      es: 'Apertura de cuenta',
      fr: 'Ouverture de compte',
      ar: 'فتح حساب',
      ja: '口座開設',
    },
  },
  {
    id: '6f1c0000-0000-4000-8000-000000000003',
    title: { en: 'Feedback', de: 'Ihre Meinung', es: 'Su opinión', fr: 'Votre avis', ar: 'رأيك', ja: 'ご意見' },
  },
];
