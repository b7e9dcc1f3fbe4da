// Who a program is, and how what it starts is known from everything else.
import { HttpProblem } from '../platform/http-problem.ts';

/** A program that may start things for customers. It sees what it started, and nothing else. */
export interface CallingProgram {
  /** Names it among programs: the same after a restart. Not personal. */
  readonly name: string;
}

/**
 * Names the channel and the address of programs' conversations. No channel that asks over HTTP has a colon in its name,
 * so its activities reach no run.
 */
const serviceUrl = 'urn:countersign:programs';

/** Where what a program starts belongs: its outcome goes to no chat, and is read. */
export const placeOf = ({ name }: CallingProgram) => ({
  conversation: JSON.stringify([serviceUrl, name]),
  address: JSON.stringify({ channelId: serviceUrl, serviceUrl }),
});

/** Whether something belongs to a program, by where it belongs. */
export const isOfPrograms = ({ address }: { readonly address: string }): boolean => JSON.parse(address).serviceUrl === serviceUrl;

/** The conversation of a run. */
export const referenceOf = (run: string, { name }: CallingProgram, locale?: string) => ({
  channelId: serviceUrl,
  serviceUrl,
  conversation: { id: run, name: '', isGroup: false, conversationType: 'personal' },
  user: { id: name, name: '' },
  bot: { id: 'countersign', name: '' },
  ...(locale !== undefined && { locale }),
});

/** The same for what a program may not know, and for what there is not. */
export const notFound = () => new HttpProblem(404, 'not_found', 'There is nothing of that name that you started.');
