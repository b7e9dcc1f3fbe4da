// The operator's own files: the catalogue of forms, and the menu.
import { z } from 'zod';
import { appTitles, type FormEntry, formEntry } from '../../../dialogs/index.ts';
import { appIds } from '../../contract/index.ts';
import { describeIssues, plainly } from '../../platform/settings/issues.ts';
import { SettingsError } from '../../platform/settings/settings-error.ts';
import { parseFile } from '../../platform/settings/yaml-file.ts';
import { didYouMean } from '../../platform/text/did-you-mean.ts';

const catalogue = z.strictObject({
  forms: z
    .array(formEntry)
    .max(50, 'must hold 50 forms at most')
    .refine((forms) => new Set(forms.map(({ id }) => id.toLowerCase())).size === forms.length, 'must not hold a form twice'),
});

const app = z.enum(appIds, {
  error: ({ input }) => {
    const { hint = `the apps are ${appIds.join(', ')}` } = didYouMean(String(input), appIds);
    return `names no app: ${hint.replace(/\?$/, '')}`;
  },
});
const menu = z.strictObject({ titles: appTitles.optional(), hidden: z.array(app).optional() });

const read = <Shape extends z.ZodType>(schema: Shape, setting: string, file: string): z.output<Shape> => {
  const place = `${setting}: ${file}`;
  const { success, data, error } = schema.safeParse(parseFile(file, place), { error: plainly });
  if (success) return data;
  throw new SettingsError(describeIssues(error).map(({ path, message }) => `${place}: ${path || 'the file'}: ${message}.`));
};

/**
 * The forms in a YAML file: `forms: [{ id, title: { en, es }, names?: { en: [], es: [] } }]`.
 * @throws {SettingsError} with the file and the place of the mistake.
 */
export const readForms = (file: string): readonly FormEntry[] => read(catalogue, 'FORMS_FILE', file).forms;

/**
 * The menu in a YAML file: `titles: { payments: { en, es } }`, `hidden: [e-form]`.
 * @throws {SettingsError} with the file and the place of the mistake.
 */
export const readMenu = (file: string): z.output<typeof menu> => read(menu, 'MENU_FILE', file);
