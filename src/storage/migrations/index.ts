// The migrations of the bot's tables, in order. A released migration is never changed: add the next one.
import type { Migrations } from '../../platform/database/database.ts';
import { first } from './0001-first.ts';
import { replicas } from './0003-replicas.ts';
import { answers } from './0004-answers.ts';
import { ages } from './0005-ages.ts';
import { handoffs } from './0012-handoffs.ts';
import { flowVersions } from './0020-flow-versions.ts';
import { outcomeHooks } from './0021-outcome-hooks.ts';
import { desk } from './0023-desk.ts';
import { hubPlaces } from './0026-hub-places.ts';
import { callers } from './0029-callers.ts';
import { packedChats } from './0034-packed-chats.ts';
import { agentsBySubject } from './0038-agents-by-subject.ts';
import { said } from './0039-said.ts';
import { plainChats } from './0041-plain-chats.ts';
import {
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
  '0012-handoffs': handoffs,
  '0020-flow-versions': flowVersions,
  '0021-outcome-hooks': outcomeHooks,
  '0023-desk': desk,
  '0025-calls': calls,
  '0026-hub-places': hubPlaces,
  '0028-running-chats': runningChats,
  '0029-callers': callers,
  '0031-ratings': ratings,
  '0032-unheard': unheard,
  '0034-packed-chats': packedChats(kind),
  '0035-idle-states': idleStates,
  '0038-agents-by-subject': agentsBySubject,
  '0039-said': said,
  '0041-plain-chats': plainChats,
});
