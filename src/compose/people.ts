// Agents in the bot's chats: their hubs, the API for platforms, and the keys that prove verifications to others.
import { z } from 'zod';
import type { Services } from '../../dialogs/index.ts';
import { type Desk, type DeskFlow, deskTopic, openDesk, typingTopic } from '../desk/index.ts';
import { addChatwootCallback, addHandoffRoutes, carryAct, makeHandoffs, usualRules } from '../handoff/index.ts';
import { faultFields } from '../platform/log.ts';
import { keptText } from '../platform/secrets/kept-secret.ts';
import { type Assertions, makeAssertionKey, makeAssertions, type VerificationState } from '../verification/index.ts';
import type { BotContext, Capability } from './bot/capability.ts';
import type { StoragePlace } from './bot/core-options.ts';
import { countGivenUp } from './bot/observe.ts';
import type { HubOptions } from './hub-options.ts';

/** The audience of a proof that goes with a call. */
const transferAudience = 'urn:countersign:handoff:transfer';

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

export const people: Capability<{
  /** The hubs whose agents take chats over. Unset: none. */
  readonly hubs?: HubOptions | undefined;
}> = {
  name: 'handoff',
  open: async (parts, options) => {
    const { forms = [], hubs: given, proxies = 0, publicUrl, storage: place, theme } = options;
    const { clock, interactions, log, newId, storage, telemetry } = parts;
    const assertions = await assertionsOf(place, publicUrl, parts);
    const { chatwoot, desk: access, hubs = [], rules = usualRules, key } = given ?? {};
    const changed = (id: string) => storage.bus.publish(deskTopic, id);
    const typing = (id: string) => storage.bus.publish(typingTopic, id);
    const shared = storage.turnLeases !== undefined;
    const handoffs =
      hubs.length > 0
        ? makeHandoffs({
            hubs,
            rules,
            store: storage.handoffs,
            assertions,
            shared,
            clock,
            newId,
            log,
            ...countGivenUp(telemetry),
            ...(access && { changed, typing }),
          })
        : undefined;
    let desk: Desk | undefined;
    const prove = async (verification: VerificationState, conversation: string) =>
      verification.state === 'verified' ? assertions?.sign(verification, { audience: transferAudience, conversation }) : undefined;
    const to = options.voice?.transferTo;
    return {
      dialogs: { ...(handoffs && { handoffs }), ...(to !== undefined && { transfer: { to, prove } }) },
      middleware: hubs.flatMap(({ middleware }) => middleware ?? []),
      serve: async ({ http, services }) => {
        http.route('GET', '/.well-known/jwks.json', () => ({
          status: 200,
          // Short, so that a withdrawn key soon becomes invalid.
          headers: { 'Cache-Control': 'public, max-age=300', 'Content-Type': 'application/jwk-set+json' },
          body: assertions?.jwks ?? { keys: [] },
        }));
        if (handoffs && key !== undefined) addHandoffRoutes({ http, agents: handoffs, hub: 'webhook', key, publicUrl, log });
        if (handoffs && chatwoot) addChatwootCallback({ http, ...chatwoot, hint: (place) => handoffs.hint('chatwoot', place), clock });
        if (handoffs && access)
          desk = await openDesk({
            ...{
              http,
              ...access,
              agents: handoffs,
              handoffs: storage.handoffs,
              chats: storage.botState,
              store: storage.desk,
              bus: storage.bus,
            },
            absentMs: rules.absentMinutes * 60_000,
            ...{
              flows: flowsOf(services),
              showsCode: options.service.showsCode,
              interactions,
              forms,
              publicUrl,
              proxies,
              theme,
              clock,
              newId,
              log,
            },
          });
      },
      links: () => (desk ? [{ label: 'desk', path: desk.path }] : []),
      notice: ({ conversation }) => {
        if (!desk) return;
        storage.handoffs.openIn(conversation).then(
          (open) => open && changed(open.id),
          (fault) => log.warn({ ...faultFields(fault), component: 'desk' }, 'a step could not be told to the desk'),
        );
      },
      start: ({ openTurn, logic }) =>
        handoffs?.open((acting) =>
          openTurn(acting.handoff, (context) => {
            carryAct(context, acting);
            return logic(context);
          }),
        ),
      close: async () => {
        await desk?.close();
        await handoffs?.close();
        await given?.close?.();
      },
    };
  },
};

const assertionsOf = async (
  place: StoragePlace,
  publicUrl: string | undefined,
  { clock, newId }: Pick<BotContext, 'clock' | 'newId'>,
): Promise<Assertions | undefined> => {
  const { assertionKey, folder } = place;
  const name = 'assertion.jwk';
  const keys = assertionKey ?? (folder === undefined ? undefined : await keptText(folder, name, makeAssertionKey));
  const setting = assertionKey === undefined ? `DATA_DIR: ${name}` : 'ASSERTION_KEY';
  // The issuer is the address of the keys; on this machine only, nobody checks it.
  const issuer = publicUrl?.replace(/\/$/, '') ?? 'urn:countersign';
  return keys === undefined ? undefined : makeAssertions({ keys, setting, issuer, clock, newId });
};
