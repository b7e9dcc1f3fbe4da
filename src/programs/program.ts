// Who a program is, and how interactions that it started are told apart from all others.
import { HttpProblem } from '../platform/http/http-problem.ts';

/** A program that may start things for customers. It sees only what it started itself. */
export interface CallingProgram {
  /** Its name among programs: the same after a restart. Not personal data. */
  readonly name: string;
}

/**
 * The channel and the address of programs' conversations. No channel that calls over HTTP has a colon in its name, so
 * its activities cannot reach a run.
 */
const serviceUrl = 'urn:countersign:programs';

/** The place of what a program starts: its outcome is posted to no chat, and the program reads it. */
export const placeOf = ({ name }: CallingProgram) => ({
  conversation: JSON.stringify([serviceUrl, name]),
  address: JSON.stringify({ channelId: serviceUrl, serviceUrl }),
});

/** Whether an interaction with this address belongs to a program. */
export const isAddressOfPrograms = (address: { readonly [field: string]: unknown }): boolean => address.serviceUrl === serviceUrl;

/** The conversation of a run. */
export const referenceOf = (run: string, { name }: CallingProgram, locale?: string) => ({
  channelId: serviceUrl,
  serviceUrl,
  conversation: { id: run, name: '', isGroup: false, conversationType: 'personal' },
  user: { id: name, name: '' },
  bot: { id: 'countersign', name: '' },
  ...(locale !== undefined && { locale }),
});

/** The same answer for what a program may not see and for what does not exist. */
export const notFound = () => new HttpProblem(404, 'not_found', 'There is nothing of that name that you started.');
