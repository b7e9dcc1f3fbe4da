// Opens passkeys: the app, and once the core exists, the steps of its device page and the routes of the page's script.
import type { ServiceContext } from '../core/context.ts';
import type { Core } from '../core/core.ts';
import { definePasskeys } from './app.ts';
import { makeCeremony } from './ceremony.ts';
import { enrolments } from './enrolments.ts';
import { makePasskeyFlow } from './flow.ts';
import { makePhoneProofs } from './phone-proofs.ts';
import { addPasskeyRoutes } from './routes.ts';
import { makePasskeys } from './store.ts';

export const openPasskeys = (context: ServiceContext) => {
  const { storage, demo } = context;
  const passkeys = makePasskeys(storage);
  return {
    app: definePasskeys((accountId, customers) => enrolments({ passkeys, demo }, accountId, customers)),
    /** Adds the routes, and returns the steps of the page. */
    serve: (core: Core) => {
      const parts = { passkeys, phoneProofs: makePhoneProofs(storage), ceremony: makeCeremony(context) };
      addPasskeyRoutes(core, parts);
      return makePasskeyFlow(core, parts);
    },
  };
};
