// The bot's catalogue of forms, read from the operator's file.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type FormEntry, formEntry } from '../../dialogs/catalogue.ts';
import { SettingsError } from '../platform/settings-error.ts';
import { describeIssues, plainly } from '../service/issues.ts';

const catalogue = z.strictObject({
  forms: z
    .array(formEntry)
    .max(50, 'must hold 50 forms at most')
    .refine((forms) => new Set(forms.map(({ id }) => id.toLowerCase())).size === forms.length, 'must not hold a form twice'),
});

/** The forms in a YAML file: `forms: [{ id, title: { en, es } }]`. @throws {SettingsError} naming the file and the place that is wrong. */
export const readForms = (file: string): readonly FormEntry[] => {
  const { success, data, error } = catalogue.safeParse(read(file), { error: plainly });
  if (success) return data.forms;
  throw new SettingsError(describeIssues(error).map(({ path, message }) => `FORMS_FILE: ${file}: ${path || 'the file'}: ${message}.`));
};

const read = (file: string): unknown => {
  try {
    // Warnings would be printed past the one place that tells what is wrong.
    return parse(readFileSync(file, 'utf8'), { logLevel: 'error' });
  } catch (cause) {
    throw new SettingsError([`FORMS_FILE: ${file}: cannot be read as YAML.`], { cause });
  }
};
