// Versions of flows: a conversation keeps the version it began with, whose text is stored, whatever happens to the
// files.
import { LRUCache } from 'lru-cache';
import { readFlow } from '../grammar/read-flow.ts';
import type { FlowSource } from '../grammar/schema.ts';
import type { LoadedFlow } from '../load-flows.ts';
import { reachedFrom } from '../program.ts';
import type { FlowVersions, KeptVersion } from './flow-versions.ts';

/** A flow with those that it runs, by name. */
export type FlowProgram = ReturnType<typeof programOf>;

export const keptVersionOf = (flow: LoadedFlow, flows: ReadonlyMap<string, LoadedFlow>): KeptVersion => ({
  version: flow.version,
  flow: flow.name,
  body: JSON.stringify(Object.fromEntries([...reachedFrom(flow.name, flows)].map(([name, { text }]) => [name, text]))),
});

/** The flows of a stored version. It was checked before it was stored, perhaps by an earlier version of the program. */
export const programOf = ({ version, flow, body }: KeptVersion) => {
  const texts: Record<string, string> = JSON.parse(body);
  const flows = Object.entries(texts).flatMap(([name, text]) => {
    const { source } = readFlow(text, `${name}.yaml`);
    return source ? [[name, source] as const] : [];
  });
  /** The names of those that this version of the program refuses, though an earlier one took them. */
  const unreadable = Object.keys(texts).filter((name) => !flows.some(([read]) => read === name));
  return { version, flow, flows: new Map<string, FlowSource>(flows), unreadable };
};

export const makeVersions = (store: Pick<FlowVersions, 'keep' | 'read'>) => {
  const programs = new LRUCache<string, FlowProgram>({ max: 200 });
  const read = (kept: KeptVersion): FlowProgram => {
    const program = programs.get(kept.version) ?? programOf(kept);
    programs.set(kept.version, program);
    return program;
  };
  return {
    /** The current flow, stored for the conversations that start it. */
    begin: async (flow: LoadedFlow, flows: ReadonlyMap<string, LoadedFlow>): Promise<FlowProgram> => {
      const kept = keptVersionOf(flow, flows);
      await store.keep(kept);
      return read(kept);
    },
    /** A version that a conversation started with; `undefined` if it is no longer stored. */
    find: async (version: string): Promise<FlowProgram | undefined> => {
      const known = programs.get(version);
      const kept = known ? undefined : await store.read(version);
      return kept ? read(kept) : known;
    },
  };
};
export type Versions = ReturnType<typeof makeVersions>;
