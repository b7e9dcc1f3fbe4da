// What belongs to the core's own tables.
import { day, hour } from '../platform/database/retention.ts';
import { migrations } from './migrations/index.ts';
import type { OwnedTables } from './owned-tables.ts';
import { nobody } from './replica.ts';

export const coreTables: OwnedTables = {
  migrations,
  retention: (days, kind) => [
    { table: 'interaction', age: 'created_at', after: days * day, only: 'told = 1' },
    // Listed ones have a separate index.
    { table: 'bot_state', age: 'saved_at', after: days * day, only: 'running is null' },
    { table: 'bot_state', age: 'saved_at', after: days * day, only: 'running is not null' },
    // A chat is removed with everything said in it.
    { table: 'chat', age: 'active_at', after: days * day, batch: 20 },
    // Channels repeat an activity within minutes or not at all.
    { table: 'answer', age: 'created_at', after: hour },
    // A replica that still owns an interaction stays, or the interaction could never be claimed.
    {
      table: 'replica',
      age: 'lease_until',
      after: day,
      only: `id <> '${nobody}' and not exists (select 1 from interaction where owner = replica.id and told = 0)`,
    },
    ...(kind === 'postgres' ? [{ table: 'turn_lease', age: 'lease_until', after: hour }] : []),
  ],
  addressed: [{ table: 'interaction', only: "address <> ''" }],
};
