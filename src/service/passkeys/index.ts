// Passkeys on the device page: the parts put together, the routes of the page's script added.
import type { DeviceFlow } from '../core/device/flow.ts';
import { type AssertionOptions, makeJudgeAssertion } from './assertion.ts';
import { type CeremonyOptions, makeCeremony } from './ceremony.ts';
import { makePasskeyFlow, type PasskeyFlowOptions } from './flow.ts';
import { makePhoneCode, type PhoneCodeOptions } from './phone-code.ts';
import { addPasskeyRoutes, type PasskeyRoutesOptions } from './routes.ts';

export type PasskeysOptions = Omit<PasskeyFlowOptions, 'ceremony' | 'judge' | 'phoneCode'> &
  Omit<PasskeyRoutesOptions, 'ceremony' | 'limits'> &
  Omit<AssertionOptions, 'ceremony'> &
  PhoneCodeOptions &
  Pick<CeremonyOptions, 'log' | 'publicUrl'>;

/** Adds the routes, and gives the page's steps. */
export const addPasskeys = (options: PasskeysOptions): DeviceFlow => {
  const { limits, publicUrl, log } = options;
  const ceremony = makeCeremony({ publicUrl, timeoutMs: limits.passkeys.ceremonyMs, log });
  addPasskeyRoutes({ ...options, ceremony, limits: limits.passkeys });
  return makePasskeyFlow({ ...options, ceremony, judge: makeJudgeAssertion({ ...options, ceremony }), phoneCode: makePhoneCode(options) });
};
