// Programs beside the chats: what they start, the way of outcomes to it, and the addresses at which they ask.
import { type Flows, makeFlowRun } from '../../../dialogs/index.ts';
import { chatOf, makeInnerTurns, makeRunTurn, type OnUnusable, type TurnLock } from '../../bot/index.ts';
import { addConnectorRoutes } from '../../connector/index.ts';
import type { AddressOwner } from '../../interactions/index.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import { makePost, makeWebhookAgent } from '../../platform/outgoing/webhook-post.ts';
import { makeAlarm } from '../../platform/time/clock.ts';
import { type Authentication, makeAuthentication, makePrograms, operationsOf } from '../../programs/index.ts';
import { observeOperations, type ProgramWay } from '../observe/observe-operations.ts';
import type { BotOptions } from './bot-options.ts';
import { servicesOf } from './bot-services.ts';
import type { Connection } from './connection.ts';
import type { Limits } from './limits.ts';

export interface ProgramSide {
  /** What belongs to programs. */
  readonly addresses: AddressOwner;
  /** Adds the routes, where programs may come. */
  serve(http: HttpServer): Promise<void>;
  /** Begins to notify programs of outcomes. */
  open(): void;
  /** Ends waits, so that nobody is kept from their answer by a stop. */
  close(): Promise<void>;
}

export interface ProgramSideParts {
  readonly flows: Flows;
  /** That of the chats: a stop waits for both. */
  readonly lock: TurnLock;
  readonly limits: Limits;
  readonly onUnusable: OnUnusable;
}

export const makeProgramSide = (
  options: BotOptions,
  connection: Connection,
  { flows, lock, limits, onUnusable }: ProgramSideParts,
): ProgramSide => {
  const { clock, log, storage, telemetry } = connection;
  // The holder of the key is trusted like a channel that vouches for its users; the program brings in people itself.
  const trusted = { ...options, lookupReplies: 'offer' as const, handoff: { escalate: async () => 'requested' as const } };
  const services = servicesOf({ sender: options.theme?.name, ...trusted }, connection, {
    chatOf,
    flows,
    callerNumber: async () => undefined,
    lookupRate: limits.lookups,
    admitLookup: async () => true,
    saysLinks: false,
  });
  // On a developer's machine, outcomes may go to another program there.
  const agent = makeWebhookAgent(!options.identity?.MicrosoftAppId);
  const givenUp = telemetry.counter('countersign_program_outcomes_given_up_total', 'Outcomes that could not be posted to a program', []);
  const programs = makePrograms({
    services,
    turns: makeInnerTurns(lock),
    runTurn: makeRunTurn(storage.botState, makeFlowRun({ ...services, flows }), onUnusable),
    states: storage.botState,
    starts: limits.programs.starts,
    hooks: storage.outcomeHooks,
    post: makePost(agent, clock),
    shared: storage.turnLeases !== undefined,
    givenUp: () => givenUp({}),
    alarm: makeAlarm(clock),
    log,
  });
  let authentication: Authentication | undefined;
  return {
    addresses: programs.addresses,
    serve: async (http) => {
      const { programs: access, publicUrl } = options;
      if (!access) return;
      authentication = makeAuthentication(access, limits.programs, clock);
      // Loaded only here: most of it is the protocol's own library.
      const { addMcpRoutes } = await import('../../mcp/index.ts');
      const observed = observeOperations(telemetry);
      const offered = (way: ProgramWay) => ({ programs, operations: () => observed(way, operationsOf(programs.flows(), services.apps)) });
      addMcpRoutes({ http, ...offered('mcp'), authentication, issuer: access.issuer, scope: access.scope, publicUrl, log });
      addConnectorRoutes({
        http,
        ...offered('connector'),
        authentication,
        publicUrl,
        secure: options.identity?.MicrosoftAppId !== undefined,
      });
    },
    open: programs.open,
    close: async () => {
      await programs.close();
      await Promise.all([authentication?.close(), agent.close()]);
    },
  };
};
