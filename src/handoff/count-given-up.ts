// What is measured of hubs.
import type { Telemetry } from '../platform/telemetry.ts';
import type { HandoffsOptions } from './sides.ts';

/** Counts events that a hub will never get, and acts at a hub that the chat will never get. */
export const countGivenUp = (telemetry: Telemetry): Required<Pick<HandoffsOptions, 'givenUp' | 'pollGivenUp'>> => {
  const polls = telemetry.counter('countersign_hub_polls_given_up_total', 'Ended handoffs of which a hub could not be read', ['hub']);
  return {
    givenUp: telemetry.counter('countersign_hub_events_given_up_total', 'Events that could not be delivered to a hub', ['hub', 'event']),
    pollGivenUp: (hub) => polls({ hub }),
  };
};
