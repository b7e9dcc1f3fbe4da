// Reading the catalogue's file, with every mistake told by where it is.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { SettingsError } from '../../platform/settings-error.ts';
import { describeIssues, plainly } from '../issues.ts';
import { type Catalogue, catalogue } from './catalogue.ts';

/** The catalogue of the demo account. */
export const demoCatalogue = fileURLToPath(new URL('../demo.yaml', import.meta.url));

/** Reads and checks a catalogue. @throws {SettingsError} one line per mistake: setting, file, place in the file, what is wrong. */
export const loadCatalogue = (file: string): Catalogue => {
  const place = `SERVICE_CATALOGUE: ${file}`;
  const document = parseDocument(read(file, place), { prettyErrors: true });
  if (document.errors.length > 0) {
    throw new SettingsError(
      document.errors.map(
        ({ linePos, code }) => `${place}: line ${linePos?.[0].line ?? 1}, column ${linePos?.[0].col ?? 1}: not YAML (${code}).`,
      ),
    );
  }
  const parsed = catalogue.safeParse(
    toValue(() => document.toJS(), place),
    { error: plainly },
  );
  if (parsed.success) return parsed.data;
  throw new SettingsError(describeIssues(parsed.error).map(({ path, message }) => `${place}: ${path || 'the file'}: ${message}.`));
};

const read = (file: string, place: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SettingsError([`${place}: cannot be read.`], { cause });
  }
};

/** Aliases are resolved here, and too many of them are refused. */
const toValue = (resolve: () => unknown, place: string) => {
  try {
    return resolve();
  } catch (cause) {
    throw new SettingsError([`${place}: refers to itself in a way that cannot be resolved.`], { cause });
  }
};
