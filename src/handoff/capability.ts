// Agents in the bot's chats: their hubs, the API for platforms, and the keys that prove verifications to others.
import type { BotContext, Capability, OpenCapability } from '../compose/bot/capability.ts';
import type { StoragePlace } from '../compose/bot/core-options.ts';
import { keptText } from '../platform/secrets/kept-secret.ts';
import type { Telemetry } from '../platform/telemetry.ts';
import { type Assertions, makeAssertionKey, makeAssertions, type VerificationState } from '../verification/index.ts';
import { carryAct } from './agent-act.ts';
import { makeLiveAgents } from './chat/live-agents.ts';
import { addChatwootCallback } from './chatwoot/chatwoot-callback.ts';
import { checkHandoff } from './check-handoff.ts';
import { type HandoffsEngine, makeHandoffs } from './handoffs.ts';
import type { HubOptions, HubsOption } from './hub-options.ts';
import { hubsOf } from './hubs.ts';
import { type HandoffRules, usualRules } from './rules.ts';
import { handoffFaults, handoffShape } from './settings.ts';
import { makeHandoffStore } from './store/handoff-statements.ts';
import { handoffTables } from './store/tables.ts';
import { addHandoffRoutes } from './webhook/routes.ts';

/** Handoffs at an open bot. */
export interface HandoffsOfBot extends OpenCapability {
  /** `undefined`: no hub is configured. */
  readonly agents: HandoffsEngine | undefined;
  readonly hubs: HubOptions | undefined;
  readonly rules: HandoffRules;
}

/** What a hub will never get, and what the chat will never get of it. */
const countGivenUp = (telemetry: Telemetry) => {
  const polls = telemetry.counter('countersign_hub_polls_given_up_total', 'Ended handoffs of which a hub could not be read', ['hub']);
  return {
    givenUp: telemetry.counter('countersign_hub_events_given_up_total', 'Events that could not be delivered to a hub', ['hub', 'event']),
    pollGivenUp: (hub: string) => polls({ hub }),
  };
};

/** The audience of a proof that goes with a call. */
const transferAudience = 'urn:countersign:handoff:transfer';

export const handoff: Capability<HubsOption, HandoffsOfBot, typeof handoffShape> = {
  name: 'handoff',
  tables: handoffTables,
  settings: { shape: handoffShape, faults: handoffFaults, options: (settings) => ({ hubs: hubsOf(settings) }), check: checkHandoff },
  open: async (bot, { hubs: given, publicUrl, storage: place, voice }) => {
    const { clock, log, newId, storage, telemetry } = bot;
    const assertions = await assertionsOf(place, publicUrl, bot);
    const { chatwoot, hubs = [], rules = usualRules, key } = given ?? {};
    const agents =
      hubs.length > 0
        ? makeHandoffs({
            ...{ hubs, rules, assertions, clock, newId, log },
            store: storage.of(makeHandoffStore),
            shared: storage.turnLeases !== undefined,
            ...countGivenUp(telemetry),
          })
        : undefined;
    const prove = async (verification: VerificationState, conversation: string) =>
      verification.state === 'verified' ? assertions?.sign(verification, { audience: transferAudience, conversation }) : undefined;
    const to = voice?.transferTo;
    return {
      ...{ agents, rules, hubs: given },
      dialogs: { agents: makeLiveAgents(agents, to === undefined ? undefined : { to, prove }) },
      middleware: hubs.flatMap(({ middleware }) => middleware ?? []),
      serve: ({ http }) => {
        http.route('GET', '/.well-known/jwks.json', () => ({
          status: 200,
          // Short, so that a withdrawn key soon becomes invalid.
          headers: { 'Cache-Control': 'public, max-age=300', 'Content-Type': 'application/jwk-set+json' },
          body: assertions?.jwks ?? { keys: [] },
        }));
        if (agents && key !== undefined) addHandoffRoutes(http, agents, { key, publicUrl, log });
        if (agents && chatwoot) addChatwootCallback(http, chatwoot, (at) => agents.hint('chatwoot', at), clock);
      },
      start: ({ openTurn, run }) =>
        agents?.open((acting) =>
          openTurn(acting.handoff, (context) => {
            carryAct(context, acting);
            return run(context);
          }),
        ),
      close: async () => {
        await agents?.close();
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
  return keys === undefined ? undefined : makeAssertions({ keys, setting }, issuer, clock, newId);
};
