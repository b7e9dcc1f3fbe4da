// The room's doorway: what programs may do for customers.
export { type Authentication, makeAuthentication, type ProgramAccess } from './authentication.ts';
export { type ProgramsOfBot, programs } from './capability.ts';
export { catalogueNames, catalogues } from './catalogue.ts';
export { operationsOf, type ProgramOperation } from './operations.ts';
export type { CallingProgram } from './program.ts';
export { makePrograms, type Programs } from './programs.ts';
export { parseInput, view } from './schemas.ts';
