// The room's doorway: the page for flow designers, at a running bot: the state of a chat, what it waits for, and how that is ended.
import { turnKey } from '../bot/index.ts';
import type { Capability } from '../compose/bot/capability.ts';
import { flows, makeFlowVersions, programOf, runIn } from '../flows/index.ts';
import { ownServiceUrl } from '../platform/channels.ts';

/** Where there are flows, on a developer's machine only. */
export const designer: Capability = {
  name: 'designer',
  open: async (bot) => {
    const { clock, interactions, storage, trial } = bot;
    const { files, observe } = bot.of(flows) ?? {};
    if (!trial || !files || !observe) return undefined;
    // For development only, so nothing of it is loaded elsewhere.
    const [{ addDesigner }, { makeTrails }] = await Promise.all([import('./designer.ts'), import('./trails.ts')]);
    const trails = makeTrails();
    observe(trails.observe);
    const { end, time } = trial;
    const standingOf = async (conversation: string) => {
      const key = turnKey({ serviceUrl: ownServiceUrl, conversation: { id: conversation } as never });
      const [{ [key]: kept }, waiting] = await Promise.all([storage.botState.read([key]), interactions.waitingIn(key)]);
      const run = kept && runIn(JSON.parse(kept.json));
      const frame = run?.frames.at(-1);
      const version = run && (await storage.of(makeFlowVersions).read(run.flowVersion));
      const source = frame && version && programOf(version).flows.get(frame.flow);
      const now = [...files.current().flows.values()].some(({ version: one }) => one === run?.flowVersion);
      return {
        ...(source && { at: { source, current: now, place: frame?.at } }),
        waiting: waiting.map(({ id, app }) => ({ id, app })),
      };
    };

    return {
      serve: async ({ announce, chat: { framedAt: chatPath }, http }) => {
        if (chatPath === undefined) return;
        await addDesigner(http, {
          chatPath,
          flows: () => ({ loaded: files.current(), faults: files.faults() }),
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
        announce({ label: 'designer', path: '/designer', local: true });
      },
    };
  },
};
