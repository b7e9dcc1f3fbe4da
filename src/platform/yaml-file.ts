// YAML files that operators write: read once at start, with mistakes reported by line and column.
import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { SettingsError } from './settings-error.ts';

/**
 * A file's contents. `place` names it in messages: the setting and the path.
 * @throws {SettingsError} when it cannot be read, or is not YAML.
 */
export const parseFile = (file: string, place: string): unknown => {
  const document = parseDocument(read(file, place), { prettyErrors: true });
  if (document.errors.length > 0) {
    throw new SettingsError(
      document.errors.map(
        ({ linePos, code }) => `${place}: line ${linePos?.[0].line ?? 1}, column ${linePos?.[0].col ?? 1}: not YAML (${code}).`,
      ),
    );
  }
  try {
    // Aliases are resolved here; too many of them are refused.
    return document.toJS();
  } catch (cause) {
    throw new SettingsError([`${place}: refers to itself in a way that cannot be resolved.`], { cause });
  }
};

const read = (file: string, place: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SettingsError([`${place}: cannot be read.`], { cause });
  }
};
