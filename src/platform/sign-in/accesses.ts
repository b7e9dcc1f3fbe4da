// The log of who looked at whose data, as those who write it see it.
import type { HttpRequest } from '../http-server.ts';

/** Whom an entry is about. */
export interface Visitor<Role extends string = string> {
  readonly person: string;
  /** `none`: somebody who was turned away. */
  readonly role: Role | 'none';
}

/** What an entry says of a visit. */
export interface Looked {
  readonly action: string;
  readonly subject: string;
}

/** Writes an entry. Whatever is recorded is recorded before it is shown or done. */
export type RecordAccess<Role extends string = string> = (
  who: Visitor<Role>,
  what: Looked,
  call: Pick<HttpRequest, 'clientAddress'>,
) => Promise<void>;
