// What happened in flows since the bot started: each conversation's path through its flow, for the diagram, and how far
// all of them came, for the funnel.
import { LRUCache } from 'lru-cache';
import { type Fault, type FlowEvent, faultLine } from '../flows/index.ts';

/** A conversation's path through the flow that it started last. */
export interface Trail {
  /** The number of the run; it grows with every flow that the conversation starts. */
  readonly run: number;
  readonly flow: string;
  readonly version: string;
  /** The steps reached and the edges taken, named by {@link stepKey} and {@link wayKey}. */
  readonly steps: ReadonlySet<string>;
  readonly ways: ReadonlySet<string>;
  readonly ended?: Pick<FlowEvent, 'at' | 'ended'>;
}

export const stepKey = (flow: string, place: string): string => `${flow} ${place}`;
export const wayKey = (flow: string, place: string, edge: string): string => `${flow} ${place} ${edge}`;

const nothing = () => ({
  begun: 0,
  ended: new Map<string, number>(),
  reached: new Map<string, number>(),
  left: new Map<string, number>(),
  took: [] as number[],
});
const more = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

/** How many durations are stored for each flow. */
const remembered = 1000;

export type Trails = ReturnType<typeof makeTrails>;
/** How far the runs of a flow came that began since the bot started. */
export type Funnel = ReturnType<Trails['funnelOf']>;

export const makeTrails = () => {
  const trails = new LRUCache<string, Trail & { readonly steps: Set<string>; readonly ways: Set<string> }>({ max: 200 });
  const counted = new Map<string, ReturnType<typeof nothing>>();
  /** Conversations whose start was counted: counting others would make the figures inconsistent. */
  const counting = new LRUCache<string, true>({ max: 10_000 });
  const countsOf = (flow: string) => {
    const counts = counted.get(flow) ?? nothing();
    counted.set(flow, counts);
    return counts;
  };
  const warned = new LRUCache<string, { readonly version: string; readonly warning: Fault }>({ max: 100 });
  let runs = 0;

  const follow = ({ flow, version, conversation, begun, reached, edge, ended, at }: FlowEvent) => {
    const before = trails.get(conversation);
    if (begun || before === undefined || before.ended) {
      runs += 1;
      trails.set(conversation, { run: runs, flow, version, steps: new Set(), ways: new Set() });
    }
    const trail = trails.get(conversation);
    if (!trail) return;
    if (reached !== undefined) trail.steps.add(stepKey(flow, reached));
    if (edge) trail.ways.add(wayKey(flow, edge.place, edge.edge));
    if (ended) trails.set(conversation, { ...trail, ended: { ended, ...(at && { at }) } });
  };

  const count = ({ flow, conversation, begun, reached, ended, at, took }: FlowEvent) => {
    if (begun) counting.set(conversation, true);
    if (!counting.has(conversation)) return;
    const counts = countsOf(flow);
    if (begun) counts.begun += 1;
    if (reached !== undefined) more(counts.reached, reached);
    if (ended === undefined) return;
    counting.delete(conversation);
    more(counts.ended, ended);
    if (ended === 'left' && at?.place !== undefined) more(countsOf(at.flow).left, at.place);
    if (took !== undefined) counts.took.push(took);
    if (counts.took.length > remembered) counts.took.shift();
  };

  return {
    observe: (event: FlowEvent): void => {
      follow(event);
      count(event);
      const { version, warning } = event;
      if (warning) warned.set(`${version} ${faultLine(warning)}`, { version, warning });
    },
    /** Faults in the files that only the service could reveal, in the versions that exist now. */
    warnings: (versions: ReadonlySet<string>): readonly Fault[] =>
      [...warned.values()].flatMap(({ version, warning }) => (versions.has(version) ? [warning] : [])),
    /** The path of a conversation; `undefined`: unknown. */
    trailOf: (conversation: string): Trail | undefined => trails.get(conversation),
    funnelOf: (flow: string) => {
      const { begun, ended, reached, left, took } = counted.get(flow) ?? nothing();
      const sorted = took.toSorted((a, b) => a - b);
      return {
        begun,
        ended: Object.fromEntries(ended),
        /** By place. */
        reached: Object.fromEntries(reached),
        /** Where customers left for something else, by place. */
        left: Object.fromEntries(left),
        /** The median duration (ms) of those that ended. */
        median: sorted[Math.floor(sorted.length / 2)],
      };
    },
  };
};
