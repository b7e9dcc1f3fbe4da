// The migrations of the core's tables. A released migration is never changed: add the next one, by its number.
import type { Migrations } from '../../platform/database/database.ts';
import { first } from './0001-first.ts';
import { replicas } from './0003-replicas.ts';
import { answers } from './0004-answers.ts';
import { ages } from './0005-ages.ts';
import { packedChats } from './0034-packed-chats.ts';
import { plainChats } from './0041-plain-chats.ts';
import {
  agents,
  alike,
  calls,
  cancelRequests,
  chatBounds,
  idleStates,
  numbers,
  ratings,
  runningChats,
  subject,
  traceparent,
  unheard,
} from './columns.ts';

/**
 * The number of this version's newest migration, whoever's it is. A database that has seen a later one was made by a
 * newer version; earlier ones that are not known here belong to capabilities which this program does not have.
 */
export const newest = 43;

export const migrations: Migrations = (kind) => ({
  '0001-first': first(kind),
  '0002-traceparent': traceparent,
  '0003-replicas': replicas(kind),
  '0004-answers': answers,
  '0005-ages': ages(kind),
  '0006-subject': subject,
  '0007-chat-bounds': chatBounds,
  '0008-alike': alike,
  '0010-numbers': numbers,
  '0011-cancel-requests': cancelRequests,
  '0025-calls': calls,
  '0028-running-chats': runningChats,
  '0031-ratings': ratings,
  '0032-unheard': unheard,
  '0034-packed-chats': packedChats(kind),
  '0035-idle-states': idleStates,
  '0041-plain-chats': plainChats,
  '0042-agents': agents(kind),
});
