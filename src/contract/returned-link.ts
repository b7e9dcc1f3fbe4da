// The link of a request, returned to the account that asks for it with its send. An extension
// (docs/interface.md#extensions): services without it ignore the header, and answer no link.
import { z } from 'zod';
import type { AppContract } from './app.ts';
import { lenient } from './lenient.ts';

/** The header of a send that asks for the link of its page. Its value is `true`. */
export const returnLinkHeader = 'Return-Link';

/** Whether an app has a link that may be returned: a page, whose link goes to a phone. Never a passcode. */
export const hasReturnableLink = ({ answeredIn, sentTo }: Pick<AppContract, 'answeredIn' | 'sentTo'>): boolean =>
  answeredIn === 'page' && sentTo === 'phone';

/** What a send's answer may have in addition. */
export interface ReturnedLink {
  /** The address of the request's page. Anybody who has it can answer the request. */
  readonly link?: string | undefined;
}

const address = z
  .string()
  .max(500)
  .meta({
    description:
      "The address of the request's page, if it was asked for and the service allows it. Anybody who has it can answer the request, so keep it secret. It is returned once, and stops working when the message is sent again.",
    examples: ['https://verify.example.com/r/Zq3vK8dTn1mXb6YwE4sLhA'],
  });

/** The answer of a send with its link. */
export const withLink = (answer: z.ZodObject) => z.object({ ...answer.shape, link: address.optional() }).meta({ id: 'SentWithLink' });

/** An address that a chat may show: without credentials, at one of these origins. The value is its normalised form. */
const addressAt = (origins: readonly string[]) =>
  address.transform((given, context) => {
    const { href, origin, password, username } = URL.parse(given) ?? {};
    if (username === '' && password === '' && origins.includes(origin as string)) return href as string;
    context.addIssue({ code: 'custom', message: 'must be an address of the service' });
    return z.NEVER;
  });

/** An answer as a client expects it that has asked for a link at these origins. */
export const withLinkAt = (answer: z.ZodObject, origins: readonly string[]) => answer.extend({ link: addressAt(origins).optional() });

/** The same, of which the link can be done without. */
export const readingWithLinkAt = (reading: z.ZodObject, origins: readonly string[]) =>
  reading.extend({ link: lenient(addressAt(origins)) });
