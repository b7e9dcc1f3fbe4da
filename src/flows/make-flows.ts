// The flows of a bot, as its conversation has them: what the menu shows, what words begin them, and the dialog that
// runs them.
import type { Texts } from '../../cards/index.ts';
import { chatLanguages, type DescribedFlow, dayIn, type Flows } from '../../dialogs/index.ts';
import { flowAction } from './actions.ts';
import { textIn } from './ask.ts';
import { FlowDialog } from './flow-dialog.ts';
import { declared } from './kinds.ts';
import type { LoadedFlows } from './load-flows.ts';
import type { RunnerParts } from './runner.ts';
import type { FlowSource } from './schema.ts';
import { phraseIn } from './wishes.ts';

/** Whether it can be begun with nothing given. */
const isOffered = ({ menu = true, needs = {} }: FlowSource) => menu && Object.values(needs).every((written) => declared(written).optional);

const offeredAs = (flow: string, { description, title }: FlowSource, t: Texts) => ({
  flow,
  title: textIn(title, t),
  ...(description !== undefined && { description: textIn(description, t) }),
});

/** Flows as programs see them. */
export const describedFlows = ({ flows }: LoadedFlows, t: Texts): DescribedFlow[] =>
  [...flows.values()].map(({ name, source }) => ({ ...offeredAs(name, source, t), needs: source.needs ?? {}, gives: source.gives ?? {} }));

/** The flows as they are at each turn: `current` may answer others after a reload. */
export const makeFlows = (parts: RunnerParts): Flows => ({
  dialog: new FlowDialog(parts),

  offered: (t) =>
    [...parts.current().flows.values()].filter(({ source }) => isOffered(source)).map(({ name, source }) => offeredAs(name, source, t)),

  described: (t) => describedFlows(parts.current(), t),

  actions: () => [...parts.current().flows.values()].map(flowAction),

  wishIn: ({ memory, services, t }, typed) => {
    const said = { locale: t.locale, region: services.defaultRegion, today: dayIn(memory.timeZone, services.clock.now()) };
    const found = [...parts.current().flows.values()]
      .flatMap(({ name, source }) => {
        const match = phraseIn(source, typed, [t.language, ...chatLanguages], said);
        return match ? [{ flow: name, ...match }] : [];
      })
      .toSorted((a, b) => b.length - a.length);
    const [first, second] = found;
    return first && first.length !== second?.length ? { ...first, words: typed } : undefined;
  },
});
