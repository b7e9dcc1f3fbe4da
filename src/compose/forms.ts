// The bot's catalogue of forms, read from the operator's file.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { type FormEntry, formEntry } from '../../dialogs/catalogue.ts';
import { SettingsError } from '../platform/settings-error.ts';

const catalogue = z.strictObject({ forms: z.array(formEntry).max(50) });

/** The forms in a YAML file: `forms: [{ id, title: { en, es } }]`. @throws {SettingsError} naming the file and the place that is wrong. */
export const readForms = (file: string): readonly FormEntry[] => {
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new SettingsError([`FORMS_FILE: ${file} cannot be read as YAML.`], { cause });
  }
  const { success, data, error } = catalogue.safeParse(content);
  if (!success)
    throw new SettingsError(error.issues.map(({ path, message }) => `FORMS_FILE: ${file}, ${path.join('.') || 'top level'}: ${message}.`));
  return data.forms;
};
