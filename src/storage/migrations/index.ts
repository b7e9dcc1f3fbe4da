// Every step the bot's tables have taken, in order. What has been released is never changed: the next change is the next step.
import type { Migrations } from '../../platform/database.ts';
import { first } from './0001-first.ts';
import { replicas } from './0002-replicas.ts';
import { answers } from './0003-answers.ts';
import { ages } from './0004-ages.ts';
import { traceparent } from './0010-traceparent.ts';

export const migrations: Migrations = (kind) => ({
  '0001-first': first(kind),
  '0002-replicas': replicas(kind),
  '0003-answers': answers,
  '0004-ages': ages(kind),
  '0010-traceparent': traceparent,
});
