// How the test phone numbers behave in demo mode.
import type { AppId, EventType, ResultStatus } from '../../contract/index.ts';
import { ownValue } from '../../platform/text/own-value.ts';

/** What a test number does automatically. Numbers that wait for the device page have none. */
const behaviours = ['succeed', 'fail', 'time-out', 'wait', 'refuse'] as const;
export type Behaviour = (typeof behaviours)[number];

export const isBehaviour = (value: string): value is Behaviour => behaviours.some((known) => known === value);

/** Every number of the table. */
export const testNumbers: Readonly<Record<string, Behaviour>> = {
  '+12025550110': 'succeed',
  '+12025550111': 'fail',
  '+12025550112': 'time-out',
  '+12025550113': 'wait',
  '+12025550114': 'refuse',
};

/** The behaviour of a phone number; `undefined` if it is not in the table. */
export const behaviourOf = (phoneNumber: string): Behaviour | undefined => ownValue(testNumbers, phoneNumber);

/** The passcode of the number that succeeds. */
export const knownPasscode = '123456';

/** One automatic step, `after` milliseconds from the send. */
export type Step = { readonly after: number } & ({ readonly event: EventType } | { readonly status: ResultStatus });

const opened: Step[] = [
  { after: 300, event: 'task.bootstrapped' },
  { after: 600, event: 'task.started' },
];

/**
 * The steps of a behaviour, in order. A passcode has no page, so nothing is opened or started; and the number that
 * succeeds still waits for its code to be checked.
 */
export const stepsOf = (behaviour: Behaviour | undefined, app: AppId): readonly Step[] => {
  const page = app === 'one-time-passcode' ? [] : opened;
  switch (behaviour) {
    case 'succeed':
      return app === 'one-time-passcode' ? [] : [...page, { after: 1000, status: 'success' }];
    case 'fail':
      return [...page, { after: 1000, status: 'failure' }];
    case 'time-out':
      return page;
    default:
      return [];
  }
};

/** The lifetime in milliseconds that a behaviour sets instead of the app's. */
export const lifetimeOf = (behaviour: Behaviour | undefined): number | undefined => (behaviour === 'time-out' ? 2000 : undefined);

/** Whether a customer can end the request: on its device page, or by returning the code. */
export const canBeEnded = (behaviour: Behaviour | undefined) => behaviour !== 'wait';
