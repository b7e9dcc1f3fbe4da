// The log of who looked at whose data, as callers see it.
import type { HttpRequest } from '../platform/http/http-server.ts';

/** The person whom an entry is about. */
export interface Visitor<Role extends string = string> {
  readonly person: string;
  readonly subject?: string | undefined;
  readonly email?: string | undefined;
  /** `none`: a person who was turned away. */
  readonly role: Role | 'none';
}

/** The content of an entry about a visit. */
export interface Looked {
  readonly action: string;
  readonly subject: string;
}

/** Writes an entry. Every access is recorded before it is shown or done. */
export type RecordAccess<Role extends string = string> = (
  who: Visitor<Role>,
  what: Looked,
  call: Pick<HttpRequest, 'clientAddress'>,
) => Promise<void>;
