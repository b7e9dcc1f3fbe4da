// The tables of all capabilities, without the rest of them.
import { deskTables } from '../../src/desk/desk-store.ts';
import { flowTables } from '../../src/flows/versions/flow-versions.ts';
import { handoffTables } from '../../src/handoff/store/tables.ts';
import { programTables } from '../../src/programs/outcome-hooks.ts';
import type { OwnedTables } from '../../src/storage/index.ts';

/** In the order of the list of capabilities. */
export const allTables: readonly OwnedTables[] = [flowTables, handoffTables, deskTables, programTables];
