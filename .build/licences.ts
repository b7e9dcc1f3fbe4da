// The licences of the packages whose code is in a bundle.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the package that a file belongs to; `undefined` for a file of our own. */
const packageOf = (file: string): string | undefined => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** Of each package its name with its version, and what it says about its licence. */
export const licencesOf = (files: readonly string[]): ReadonlyMap<string, string> => {
  const folders = new Set(files.map(packageOf).filter((folder) => folder !== undefined));
  return new Map([...folders].map(licenceIn));
};

/** The licence of the package in a folder: its texts, else its name. */
export const licenceIn = (folder: string): [name: string, licence: string] => {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder);
  const read = (file: string) => readFileSync(join(folder, file), 'utf8').trim();
  const texts = files.filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).map(read);
  const inReadme = files.filter((file) => /^readme/i.test(file)).map((file) => /^#+ licen[cs]e\s+([\s\S]+)/im.exec(read(file))?.[1]);
  const named = (typeof license === 'string' ? license : license?.type) ?? inReadme.find((text) => text !== undefined);
  if (named === undefined && texts.length === 0) throw new Error(`${name} does not say under which licence it is given.`);
  const by = typeof author === 'string' ? author : author?.name;
  return [`${name} ${version}`, [[named, by].filter(Boolean).join(', '), ...texts].join('\n\n')];
};
