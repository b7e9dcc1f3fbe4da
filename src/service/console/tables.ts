// The console's tables; core/store/schema.ts says what applies to all tables.
import type { SignInSchema } from '../../sign-in/tables.ts';
import type { OwnRows } from '../core/store/erasure.ts';

declare module '../core/store/schema.ts' {
  interface Schema {
    console_sessions: SignInSchema['sessions'];
    console_sign_ins: SignInSchema['sign_ins'];
    console_accesses: SignInSchema['accesses'];
  }
}

export const consoleRows: OwnRows = {
  // The log names the lists of a customer's requests by their filters.
  quoted: {
    table: 'console_accesses',
    column: 'subject',
    end: '&',
    texts: ({ accountId, customerRef }) =>
      [customerRef, `${customerRef} ${accountId}`].map((customer) => `${new URLSearchParams({ customer })}&`),
  },
};
