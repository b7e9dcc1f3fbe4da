// What a whole run of the tests leaves behind, cleared away at its end.
import { stopPostgres } from './postgres.ts';

export const mochaHooks = { afterAll: stopPostgres };
