// The desk at a running bot: agents take its chats over there.
import { z } from 'zod';
import type { Services } from '../../dialogs/index.ts';
import type { Capability } from '../compose/bot/capability.ts';
import { handoff, makeHandoffStore } from '../handoff/index.ts';
import { faultFields } from '../platform/log.ts';
import { deskTables, makeDeskStore } from './desk-store.ts';
import { type DeskFlow, deskTopic, openDesk, typingTopic } from './index.ts';

/** The flows that an agent can start, with their required inputs. */
const flowsOf =
  ({ flows, textsFor }: Pick<Services, 'flows' | 'textsFor'>) =>
  (language: string): readonly DeskFlow[] =>
    (flows?.described(textsFor(language)) ?? []).map(({ description, flow, inputs, needs, title }) => {
      const { properties = {} } = z.toJSONSchema(inputs);
      const asks = Object.entries(needs).flatMap(([name, type]) => {
        const { enum: choices } = Object(properties[name]) as { readonly enum?: readonly string[] };
        return type.endsWith('?') ? [] : [{ name, type, ...(choices && { choices }) }];
      });
      return { flow, title, ...(description !== undefined && { description }), asks };
    });

/** If one of the hubs is the desk, or its panel is shown in the page of another. */
export const desk: Capability = {
  name: 'desk',
  tables: deskTables,
  open: (bot, options) => {
    const { forms = [], proxies = 0, publicUrl, service, theme } = options;
    const { clock, interactions, log, newId, storage } = bot;
    const { agents, hubs, rules } = bot.of(handoff) ?? {};
    const access = hubs?.desk;
    if (!agents || !access || !rules) return undefined;
    const handoffs = storage.of(makeHandoffStore);
    const changed = (id: string) => storage.bus.publish(deskTopic, id);
    agents.observe({ changed, typing: (id) => storage.bus.publish(typingTopic, id) });
    let opened: Awaited<ReturnType<typeof openDesk>> | undefined;
    return {
      serve: async ({ announce, http, services }) => {
        opened = await openDesk({
          ...access,
          ...{ http, agents, handoffs, interactions, forms, publicUrl, proxies, theme, clock, newId, log },
          ...{ chats: storage.botState, store: storage.of(makeDeskStore), bus: storage.bus },
          absentMs: rules.absentMinutes * 60_000,
          flows: flowsOf(services),
          showsCode: service.showsCode,
        });
        announce({ label: 'desk', path: opened.path });
      },
      notice: ({ conversation }) => {
        handoffs.openIn(conversation).then(
          (open) => open && changed(open.id),
          (fault) => log.warn({ ...faultFields(fault), component: 'desk' }, 'a step could not be told to the desk'),
        );
      },
      close: () => opened?.close(),
    };
  },
};
