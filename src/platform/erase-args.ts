// What is said on the command line to erase somebody: whom, in which account, and whether to ask.
import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { SettingsError } from './settings-error.ts';

export interface EraseArgs {
  /** The customer's reference. */
  readonly reference: string;
  /** Not to be asked. */
  readonly sure: boolean;
  /** The service's account, where one is named. */
  readonly account: string | undefined;
}

/**
 * @param referenceForm - what a customer's reference must be
 * @throws {SettingsError} when nobody is named, or not by a reference, or more is said than there is to say.
 */
export const readEraseArgs = (args: readonly string[], referenceForm: z.ZodType): EraseArgs => {
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
      // What is said twice is a mistake: nobody can tell which was meant.
      options: { yes: { type: 'boolean', multiple: true }, account: { type: 'string', multiple: true } },
    });
  } catch (cause) {
    throw unclear(cause);
  }
};

const unclear = (cause?: unknown) =>
  new SettingsError(
    [
      'customerRef: say whom to erase by the reference that the service knows them by, --account=<id> where several accounts know it, and --yes to not be asked.',
    ],
    { cause },
  );
