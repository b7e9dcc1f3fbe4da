// The bot's catalogue of forms, read from the operator's file.
import { z } from 'zod';
import { type FormEntry, formEntry } from '../../dialogs/catalogue.ts';
import { describeIssues, plainly } from '../platform/issues.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { parseFile } from '../platform/yaml-file.ts';

const catalogue = z.strictObject({
  forms: z
    .array(formEntry)
    .max(50, 'must hold 50 forms at most')
    .refine((forms) => new Set(forms.map(({ id }) => id.toLowerCase())).size === forms.length, 'must not hold a form twice'),
});

/** The forms in a YAML file: `forms: [{ id, title: { en, es } }]`. @throws {SettingsError} naming the file and the place that is wrong. */
export const readForms = (file: string): readonly FormEntry[] => {
  const place = `FORMS_FILE: ${file}`;
  const { success, data, error } = catalogue.safeParse(parseFile(file, place), { error: plainly });
  if (success) return data.forms;
  throw new SettingsError(describeIssues(error).map(({ path, message }) => `${place}: ${path || 'the file'}: ${message}.`));
};
