// A capability as small as one can be: it counts visitors, if a setting asks for it.
import type { Capability, OpenCapability } from '../../../src/compose/bot/capability.ts';
import { flag } from '../../../src/platform/settings/environment.ts';

const shape = { COUNT_VISITORS: flag.optional() };

export const visitors: Capability<{ readonly countsVisitors?: boolean | undefined }, OpenCapability, typeof shape> = {
  name: 'visitors',
  settings: {
    shape,
    faults: (set) => (set.COUNT_VISITORS === 'true' && set.NODE_ENV === 'production' ? ['COUNT_VISITORS: is for trials.'] : []),
    options: ({ COUNT_VISITORS }) => ({ countsVisitors: COUNT_VISITORS }),
    check: async ({ COUNT_VISITORS }) => [['visitors', { status: 'ok', words: COUNT_VISITORS ? 'are counted.' : 'are not counted.' }]],
  },
  open: ({ telemetry }, { countsVisitors }) => {
    if (!countsVisitors) return undefined;
    const count = telemetry.counter('countersign_visitors_total', 'Turns of visitors', []);
    let seen = 0;
    return {
      middleware: [
        {
          onTurn: (_context, next) => {
            seen += 1;
            count({});
            return next();
          },
        },
      ],
      serve: ({ announce, http }) => {
        http.route('GET', '/visitors', () => ({ status: 200, body: { seen } }));
        announce({ label: 'visitors', path: '/visitors' });
      },
    };
  },
};
