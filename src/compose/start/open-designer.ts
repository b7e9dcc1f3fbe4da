// What the page for those who write flows has of the running bot: where a chat stands, what it waits for, and how that
// is ended.
import { turnKey } from '../../bot/index.ts';
import { addDesigner, type ChatStanding, type Trails } from '../../designer/index.ts';
import { programOf, runIn } from '../../flows/index.ts';
import { ownServiceUrl } from '../../platform/channels.ts';
import type { HttpServer } from '../../platform/http/http-server.ts';
import type { MovableTime } from '../../platform/time/movable-time.ts';
import type { RunningService } from '../../service/index.ts';
import type { Connection } from '../bot/connection.ts';
import type { OpenFlows } from './open-flows.ts';

export { makeTrails } from '../../designer/index.ts';

/** What the designer may do to the world: only a process that starts everything itself has it to give. */
export interface DesignerReach {
  /** Ends a request at the service beside the bot. Unset: the service runs elsewhere. */
  readonly end?: RunningService['end'] | undefined;
  /** The clock of the bot and of the service beside it. */
  readonly time?: MovableTime | undefined;
}

export interface OpenDesignerOptions {
  readonly server: HttpServer;
  readonly connection: Connection;
  readonly flows: OpenFlows;
  readonly trails: Trails;
  readonly chatPath: string;
  readonly reach: DesignerReach;
}

export const openDesigner = ({ server, connection, flows, trails, chatPath, reach }: OpenDesignerOptions): Promise<void> => {
  const { clock, interactions, storage } = connection;
  const { end, time } = reach;

  const standingOf = async (conversation: string): Promise<ChatStanding> => {
    const key = turnKey({ serviceUrl: ownServiceUrl, conversation: { id: conversation } as never });
    const [{ [key]: kept }, waiting] = await Promise.all([storage.botState.read([key]), interactions.waitingIn(key)]);
    const run = kept && runIn(JSON.parse(kept.json));
    const frame = run?.frames.at(-1);
    const version = run && (await storage.flowVersions.read(run.flowVersion));
    const source = frame && version && programOf(version).flows.get(frame.flow);
    const now = [...flows.current().flows.values()].some(({ version: one }) => one === run?.flowVersion);
    return {
      ...(source && { at: { source, current: now, place: frame?.at } }),
      waiting: waiting.map(({ id, app }) => ({ id, app })),
    };
  };

  return addDesigner(server, {
    chatPath,
    flows: () => ({ loaded: flows.current(), faults: flows.faults() }),
    trails,
    standingOf,
    canEnd: end !== undefined,
    end: async (id, outcome) => {
      // To withdraw is the customer's own, and goes the way of the card's button.
      if (outcome === 'cancelled') return (await interactions.cancel(id)) !== 'over';
      const { requestId } = (await interactions.get(id)) ?? {};
      return requestId !== undefined && (await end?.(requestId, outcome)) === true;
    },
    ...(time && { time }),
    now: clock.now,
  });
};
