// A file with the demo catalogue, changed by a test.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { demoCatalogue } from '../../src/service/core/catalogue/load.ts';

// biome-ignore lint/suspicious/noExplicitAny: a catalogue under change has any shape, right and wrong ones.
export type CatalogueChange = (catalogue: any) => void;

/** Read once: services are started by the hundred. */
let demo: object | undefined;

/** Its text. */
export const textOfCatalogue = (change: CatalogueChange): string => {
  demo ??= parse(readFileSync(demoCatalogue, 'utf8')) as object;
  const catalogue = structuredClone(demo);
  change(catalogue);
  return stringify(catalogue);
};

/** Writes it into `folder` and returns its path. */
export const ownCatalogue = (folder: string, change: CatalogueChange): string => {
  const file = join(folder, 'catalogue.yaml');
  writeFileSync(file, textOfCatalogue(change));
  return file;
};
