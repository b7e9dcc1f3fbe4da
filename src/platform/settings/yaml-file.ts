// YAML files that operators write: read once at start, with mistakes reported by line and column.
import { readFileSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { parseDocument } from 'yaml';
import { SettingsError } from './settings-error.ts';

/** The parsed texts: several services in one process read the same catalogue. Callers must not change them. */
const parsed = new LRUCache<string, { readonly content: unknown }>({ max: 8 });

/**
 * A file's contents. `label` names it in messages: the setting and the path.
 * @throws {SettingsError} when it cannot be read, or is not YAML.
 */
export const parseFile = (file: string, label: string): unknown => {
  const text = read(file, label);
  const known = parsed.get(text);
  if (known) return known.content;
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length > 0) {
    throw new SettingsError(
      document.errors.map(
        ({ linePos, code }) => `${label}: line ${linePos?.[0].line ?? 1}, column ${linePos?.[0].col ?? 1}: not YAML (${code}).`,
      ),
    );
  }
  try {
    // Aliases are resolved here; too many of them are refused.
    const content: unknown = document.toJS();
    parsed.set(text, { content });
    return content;
  } catch (cause) {
    throw new SettingsError([`${label}: refers to itself in a way that cannot be resolved.`], { cause });
  }
};

const read = (file: string, label: string) => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SettingsError([`${label}: cannot be read.`], { cause });
  }
};
