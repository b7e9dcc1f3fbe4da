// Programs beside the chats: what they start, the way of outcomes to it, and the addresses at which they ask.
import { type Flows, makeFlowRun } from '../../dialogs/index.ts';
import { chatOf, makeInnerTurns, makeRunTurn, type TurnLock } from '../bot/index.ts';
import { addConnectorRoutes } from '../connector/index.ts';
import type { Notifier } from '../interactions/index.ts';
import { makeAlarm } from '../platform/alarm.ts';
import type { HttpServer } from '../platform/http-server.ts';
import { makePost, makeWebhookAgent } from '../platform/webhook-post.ts';
import { type Authentication, makeAuthentication, makePrograms, operationsOf } from '../programs/index.ts';
import type { BotOptions } from './bot-options.ts';
import { servicesOf } from './bot-services.ts';
import type { Connection } from './connection.ts';
import type { Limits } from './limits.ts';
import { observeOperations, type ProgramWay } from './observe-operations.ts';

export interface ProgramSide {
  /** Delivers what belongs to programs, and leaves the rest to the chats. */
  notifierBeside(chats: Notifier): Notifier;
  /** Adds the routes, where programs may come. */
  serve(http: HttpServer): Promise<void>;
  /** Begins to tell outcomes to those who want to be told. */
  open(): void;
  /** Ends waits, so that nobody is kept from their answer by a stop. */
  close(): Promise<void>;
}

export interface ProgramSideParts {
  readonly flows: Flows;
  /** That of the chats: a stop waits for both. */
  readonly lock: TurnLock;
  readonly limits: Limits;
}

export const makeProgramSide = (options: BotOptions, connection: Connection, { flows, lock, limits }: ProgramSideParts): ProgramSide => {
  const { clock, log, storage, telemetry } = connection;
  // Whoever has the key is trusted as a channel that vouches for its users; a person is brought in by the program.
  const trusted = { ...options, lookupReplies: 'offer' as const, handoff: { escalate: async () => 'requested' as const } };
  const services = servicesOf({ sender: options.theme?.name, ...trusted }, connection, {
    chatOf,
    flows,
    callerNumber: async () => undefined,
    lookupRate: limits.lookups,
    admitLookup: async () => true,
    saysLinks: false,
  });
  // On one's own machine, what is told may be another program of it.
  const agent = makeWebhookAgent(!options.identity?.MicrosoftAppId);
  const programs = makePrograms({
    services,
    turns: makeInnerTurns(lock),
    runTurn: makeRunTurn(storage.botState, makeFlowRun({ ...services, flows })),
    states: storage.botState,
    starts: limits.programs.starts,
    hooks: storage.outcomeHooks,
    post: makePost(agent, clock),
    shared: storage.turnLeases !== undefined,
    alarm: makeAlarm(clock),
    log,
  });
  let authentication: Authentication | undefined;
  return {
    notifierBeside: (chats) => {
      const notifierOf = (interaction: Parameters<Notifier['outcome']>[0]) => (programs.owns(interaction) ? programs.notifier : chats);
      return {
        outcome: async (interaction) => notifierOf(interaction).outcome(interaction),
        progress: async (interaction) => notifierOf(interaction).progress(interaction),
      };
    },
    serve: async (http) => {
      const { programs: access, publicUrl } = options;
      if (!access) return;
      authentication = makeAuthentication(access, limits.programs, clock);
      // Loaded only here: most of it is the protocol's own library.
      const { addMcpRoutes } = await import('../mcp/index.ts');
      const observed = observeOperations(telemetry);
      const offered = (way: ProgramWay) => ({ programs, operations: () => observed(way, operationsOf(programs.flows())) });
      addMcpRoutes({ http, ...offered('mcp'), authentication, issuer: access.issuer, publicUrl, log });
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
