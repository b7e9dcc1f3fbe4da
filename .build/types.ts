// The declarations that a package ships: those that its entries reach, each naming the file that declares a type rather
// than the doorway of its room. What a doorway says beside it would ask for libraries that no install has.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** `import type { … } from './x.ts';` and its kin, as the compiler writes them. */
const statement = /^(import|export)( type)? \{([^}]*)\} from '(\.[^']+)\.ts';$/gm;
const inline = /import\("(\.[^"]+)\.ts"\)\.(\w+)/g;
const everything = /^export (?:type )?\* from '(\.[^']+)\.ts';$/gm;
const anySpecifier = /(?:from |import\()['"]([^'"]+)['"]/g;

interface Named {
  /** Without its extension. */
  readonly file: string;
  readonly name: string;
}

const textOf = (file: string) => readFileSync(`${file}.d.ts`, 'utf8');

const namesIn = (list: string) =>
  list
    .split(',')
    .map((entry) => /^(?:(type) )?(\w+)(?: as (\w+))?$/.exec(entry.trim()))
    .filter((match) => match !== null)
    .map(({ 1: type, 2: name = '', 3: as }) => ({ type: type !== undefined, name, as: as ?? name }));

/** Where a name is declared that a file exports. */
const declaredAt = ({ file, name }: Named): Named => {
  const text = textOf(file);
  for (const [, verb, , list = '', from = ''] of text.matchAll(statement)) {
    const found = verb === 'export' && namesIn(list).find(({ as }) => as === name);
    if (found) return declaredAt({ file: join(dirname(file), from), name: found.name });
  }
  const declares = new RegExp(`^export (?:declare )?(?:abstract )?(?:const|function|class|type|interface|let|enum) ${name}\\b`, 'm');
  if (declares.test(text)) return { file, name };
  for (const [, from = ''] of text.matchAll(everything)) {
    const found = declaredAt({ file: join(dirname(file), from), name });
    if (declares.test(textOf(found.file))) return found;
  }
  return { file, name };
};

const specifierOf = (from: string, to: string) => {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
};

const direct = (file: string): string =>
  textOf(file)
    .replace(statement, (_, verb, type = '', list, from) =>
      namesIn(list)
        .map((entry) => {
          const at = declaredAt({ file: join(dirname(file), from), name: entry.name });
          const named = at.name === entry.as ? at.name : `${at.name} as ${entry.as}`;
          return `${verb}${type} { ${entry.type ? 'type ' : ''}${named} } from '${specifierOf(file, at.file)}.ts';`;
        })
        .join('\n'),
    )
    .replace(inline, (_, from, name) => {
      const at = declaredAt({ file: join(dirname(file), from), name });
      return `import("${specifierOf(file, at.file)}.ts").${at.name}`;
    })
    // The compiler leaves the attribute out, and asks for it where it reads the declaration.
    .replace(/^(import \w+ from '\.[^']+\.json');$/gm, "$1 with { type: 'json' };");

/** Keeps what the entries reach. @throws {Error} when that names a package that is not among `allowed`. */
export const keepReached = (folder: string, entries: readonly string[], allowed: readonly string[]): void => {
  const known = new Set([...allowed, ...builtinModules]);
  const texts = new Map<string, string>();
  const visit = (file: string, way: readonly string[]) => {
    if (texts.has(file)) return;
    const text = direct(file);
    texts.set(file, text);
    for (const [, specifier = ''] of text.matchAll(anySpecifier)) {
      if (specifier.endsWith('.json')) continue;
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier.replace(/\.ts$/, '')), [...way, file]);
      else if (
        !specifier.startsWith('node:') &&
        !known.has(
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        )
      )
        throw new Error(`${[...way, file].join(' > ')} names ${specifier}, which an install does not have.`);
    }
  };
  for (const entry of entries) visit(join(folder, entry), []);
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path.replace(/\.d\.ts$/, ''));
    if (path.endsWith('.d.ts') && !texts.has(file) && existsSync(`${file}.d.ts`)) rmSync(`${file}.d.ts`);
  }
  for (const [file, text] of texts) writeFileSync(`${file}.d.ts`, text);
};
