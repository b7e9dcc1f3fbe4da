// Tickets: addresses with a keyed digest over their subject and expiry, so that nothing has to be stored.
import { createHmac } from 'node:crypto';
import { deriveKey, sameBytes } from '../../../platform/secrets/sealing.ts';

/** The purpose of a ticket; it is valid for no other. */
export type TicketPurpose = 'answered' | 'checkout' | 'document' | 'receipt';

export type Tickets = ReturnType<typeof makeTickets>;

export const makeTickets = (pepper: string) => {
  const key = deriveKey(pepper, 'tickets');
  const digest = (purpose: TicketPurpose, subject: string, until: string) =>
    createHmac('sha256', key).update(`${purpose}\n${subject}\n${until}`).digest();
  return {
    /** The ticket, the same at every call. `until` is an instant. */
    issue: (purpose: TicketPurpose, subject: string, until: number): string => {
      const end = Math.ceil(until / 1000).toString(36);
      return `${subject}-${end}-${digest(purpose, subject, end).toString('base64url')}`;
    },
    /** The subject of a valid ticket; undefined for an expired or foreign one. */
    open: (purpose: TicketPurpose, ticket: string, now: number): string | undefined => {
      const [, subject, end, given] = /^([0-9A-Z]{26})-([0-9a-z]{1,9})-([A-Za-z0-9_-]{43})$/.exec(ticket) ?? [];
      if (subject === undefined || end === undefined || given === undefined) return undefined;
      const genuine = sameBytes(Buffer.from(given, 'base64url'), digest(purpose, subject, end));
      return genuine && now < Number.parseInt(end, 36) * 1000 ? subject : undefined;
    },
  };
};
