// The room's doorway: what programs may do for customers.
export type { Authentication } from './authentication.ts';
export { programs } from './capability.ts';
export { catalogueNames, catalogues } from './catalogue.ts';
export { operationsOf, type ProgramOperation } from './operations.ts';
export type { CallingProgram } from './program.ts';
export type { Programs } from './programs.ts';
export { parseInput, view } from './schemas.ts';
