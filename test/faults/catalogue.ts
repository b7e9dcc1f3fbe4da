// The demo account's catalogue with customers of a run's own: each has a number that nobody shares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

const demo = new URL('../../src/service/demo.yaml', import.meta.url);

/** The number of the nth customer, E.164. */
export const numberOf = (index: number) => `+1202555${String(1000 + index)}`;

/** Writes the catalogue into the folder; answers the file. */
export const writeCatalogue = (folder: string, customers: number): string => {
  const catalogue = parse(readFileSync(demo, 'utf8'));
  catalogue.customers = Array.from({ length: customers }, (_, index) => ({
    id: `customer-${index}`,
    name: 'Mei Tanaka',
    email: `customer.${index}@example.com`,
    phoneNumber: numberOf(index),
    passkey: {},
  }));
  const file = join(folder, 'catalogue.yaml');
  writeFileSync(file, stringify(catalogue));
  return file;
};
