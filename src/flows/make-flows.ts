// The flows of a bot, as its conversation has them: what the menu shows, what words begin them, and the dialog that
// runs them.
import { chatLanguages, dayIn, type Flows } from '../../dialogs/index.ts';
import { describedFlows, offeredAs } from './described.ts';
import { FlowDialog } from './flow-dialog.ts';
import { declared } from './kinds.ts';
import type { RunnerParts } from './runner.ts';
import type { FlowSource } from './schema.ts';
import { phraseIn } from './wishes.ts';

/** Whether it can be begun with nothing given. */
const isOffered = ({ menu = true, needs = {} }: FlowSource) => menu && Object.values(needs).every((written) => declared(written).optional);

/** The flows as they are at each turn: `current` may answer others after a reload. */
export const makeFlows = (parts: RunnerParts): Flows => ({
  dialog: new FlowDialog(parts),

  offered: (t) => [...parts.current().flows.values()].filter(({ source }) => isOffered(source)).map((flow) => offeredAs(flow, t)),

  described: (t) => describedFlows(parts.current(), t),

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
