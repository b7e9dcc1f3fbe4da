// Programs beside the chats: what they start, the way of outcomes to it, and who may call.
import { chatOf, makeRunTurn } from '../bot/index.ts';
import { servicesOf } from '../compose/bot/bot-services.ts';
import type { Capability, OpenCapability, Site } from '../compose/bot/capability.ts';
import { isPublic, publicly } from '../compose/settings/core-faults.ts';
import { makePost, makeWebhookAgent } from '../platform/outgoing/webhook-post.ts';
import { keptSecret } from '../platform/secrets/kept-secret.ts';
import { address, inTheClear, needs, secretLength, visible } from '../platform/settings/environment.ts';
import { scopes } from '../platform/settings/openid.ts';
import { makeAlarm } from '../platform/time/clock.ts';
import { type Authentication, makeAuthentication } from './authentication.ts';
import { observeOperations, type ProgramWay } from './observe-operations.ts';
import { operationsOf, type ProgramOperation } from './operations.ts';
import type { ProgramsOption, ProgramsOptions } from './options.ts';
import { makeOutcomeHooks, programTables } from './outcome-hooks.ts';
import { makePrograms, type Programs } from './programs.ts';
import { makeFlowRun } from './runs/flow-run.ts';
import { makeInnerTurns } from './runs/inner-turns.ts';

/** What programs can do at an open bot. */
export interface ProgramsOfBot extends OpenCapability {
  readonly programs: Programs;
  /** Who may call; `undefined`: nobody may. */
  readonly access: (ProgramsOptions & { readonly authentication: Authentication }) | undefined;
  /** Everything that they can ask for, measured by the interface on which it is asked. */
  operations(way: ProgramWay, site: Site): readonly ProgramOperation[];
}

const shape = {
  MCP_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  MCP_ISSUER: address(/^https?$/, 'https://login.example.com').optional(),
  MCP_AUDIENCE: visible.optional(),
  MCP_SCOPE: scopes.optional(),
};

export const programs: Capability<ProgramsOption, ProgramsOfBot, typeof shape> = {
  name: 'programs',
  tables: programTables,
  settings: {
    shape,
    faults: (set) => [
      ...(set.MCP_AUDIENCE ? needs(set, ['MCP_ISSUER'], 'MCP_AUDIENCE is') : []),
      ...(set.MCP_SCOPE ? needs(set, ['MCP_ISSUER'], 'MCP_SCOPE is') : []),
      ...publicly(set, (when) => inTheClear(set, ['MCP_ISSUER'], when)),
    ],
    options: ({ DATA_DIR, MCP_AUDIENCE: audience, MCP_ISSUER: issuer, MCP_KEY, MCP_SCOPE: scope, ...settings }) => {
      // On one's own machine a key is made, so that it can be tried at once.
      const key = MCP_KEY ?? (isPublic(settings) ? undefined : keptSecret(DATA_DIR, 'mcp.key'));
      return { programs: key === undefined && issuer === undefined ? undefined : { key, issuer, audience, scope } };
    },
  },
  open: (bot, { programs: given, ...options }) => {
    const { clock, dialogs, limits, lock, log, onUnusable, storage, telemetry } = bot;
    // The holder of the key is trusted like a channel that vouches for its users; the program brings in people itself.
    const trusted = { ...options, lookupReplies: 'offer' as const, handoff: { escalate: async () => 'requested' as const } };
    const services = servicesOf({ sender: options.theme?.name, ...trusted }, bot, {
      chatOf,
      flows: dialogs.flows,
      callerNumber: async () => undefined,
      lookupRate: limits.lookups,
      admitLookup: async () => true,
      saysLinks: false,
    });
    // On a developer's machine, outcomes may go to another program there.
    const agent = makeWebhookAgent(!options.identity?.MicrosoftAppId);
    const givenUp = telemetry.counter('countersign_program_outcomes_given_up_total', 'Outcomes that could not be posted to a program', []);
    const made = makePrograms({
      services,
      turns: makeInnerTurns(lock),
      runTurn: makeRunTurn(storage.botState, makeFlowRun(services), onUnusable),
      states: storage.botState,
      starts: limits.programs.starts,
      hooks: storage.of(makeOutcomeHooks),
      post: makePost(agent, clock),
      shared: storage.turnLeases !== undefined,
      givenUp: () => givenUp({}),
      alarm: makeAlarm(clock),
      log,
    });
    const authentication = given && makeAuthentication(given, limits.programs, clock);
    const observed = observeOperations(telemetry);
    return {
      programs: made,
      access: given && authentication && { ...given, authentication },
      operations: (way, site) => observed(way, operationsOf(made.flows(), site.services.apps)),
      addresses: made.addresses,
      start: made.open,
      close: async () => {
        await made.close();
        await Promise.all([authentication?.close(), agent.close()]);
      },
    };
  },
};
