// Erasing a customer from the command line: shows what is stored, asks, removes it, and reports.
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { SettingsError } from '../settings/settings-error.ts';

/** Rows by table. */
export type Rows = Readonly<Record<string, number>>;

/** One database's data about a customer. */
export interface ErasurePart {
  readonly owner: string;
  readonly rows: Rows;
  /** Why nothing may be removed now. */
  readonly open?: readonly string[];
  /** Consequences to know before erasing. */
  readonly warnings: readonly string[];
  /** The rows that were removed; `undefined`: none, since something has become open again. */
  readonly erase: () => Promise<Rows | undefined>;
}

/**
 * Returns whether all of it is gone.
 * @param untouched - a line for each database that is left alone
 */
export const eraseParts = async (
  parts: readonly ErasurePart[],
  untouched: readonly string[],
  { reference, sure }: Pick<EraseArgs, 'reference' | 'sure'>,
  { input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
): Promise<boolean> => {
  const say = (line: string) => output.write(`${line}\n`);
  for (const { owner, rows } of parts) {
    const none = isNothing(rows);
    say(`${owner} has ${none ? 'nothing ' : ''}about ${reference}${none ? '.' : ':'}`);
    if (!none) for (const line of linesOf(rows)) say(line);
  }
  const open = parts.flatMap((part) => part.open ?? []);
  for (const line of open) say(line);
  if (open.length > 0) {
    say('Nothing was removed.');
    return false;
  }
  const some = parts.filter(({ rows }) => !isNothing(rows));
  if (some.length === 0) return true;
  for (const line of [...some.flatMap(({ warnings }) => warnings), ...untouched, 'This cannot be undone.']) say(line);
  if (!sure && !(await confirmed(reference, input, output))) {
    say('Nothing was removed.');
    return false;
  }
  for (const { owner, erase } of some) {
    const gone = await erase();
    if (gone === undefined) {
      say(`${owner}: a new request or interaction was started meanwhile. Nothing was removed here; wait until it ends.`);
      return false;
    }
    say(`Removed from ${lower(owner)}:`);
    for (const line of linesOf(gone)) say(line);
  }
  return true;
};

const lower = (text: string) => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

const isNothing = (rows: Rows) => Object.values(rows).every((count) => count === 0);

const linesOf = (rows: Rows) =>
  Object.entries(rows)
    .filter(([, count]) => count > 0)
    .map(([table, count]) => `  ${table.padEnd(18)} ${count}`);

const confirmed = async (reference: string, input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Promise<boolean> => {
  const asking = createInterface({ input, output });
  const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
  const answer = await Promise.race([asking.question('Type the reference again to remove all of it: '), ended]);
  asking.close();
  return answer.trim() === reference;
};

type EraseArgs = ReturnType<typeof readEraseArgs>;

/**
 * The customer's `reference`, whether to skip the question (`sure`), and the service's `account`, if one was named.
 * @param referenceForm - what a customer's reference must look like
 * @throws {SettingsError} when the reference is missing or malformed, or there are other arguments
 */
export const readEraseArgs = (args: readonly string[], referenceForm: z.ZodType) => {
  const { values, positionals } = parsed(args);
  const { yes = [], account = [] } = values;
  const [reference, ...others] = positionals;
  if (reference === undefined || others.length > 0 || yes.length > 1 || account.length > 1 || account[0] === '') throw unclear();
  const { error } = referenceForm.safeParse(reference);
  if (error) throw new SettingsError(error.issues.map(({ message }) => `customerRef: ${message}.`));
  return { reference, sure: yes.length > 0, account: account[0] };
};

const parsed = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      // An option given twice is a mistake: nobody can tell which value was meant.
      options: { yes: { type: 'boolean', multiple: true }, account: { type: 'string', multiple: true } },
    });
  } catch (cause) {
    throw unclear(cause);
  }
};

const unclear = (cause?: unknown) =>
  new SettingsError(
    [
      'customerRef: name the customer by the service’s reference. Add --account=<id> if several accounts know it, and --yes to skip the question.',
    ],
    { cause },
  );
