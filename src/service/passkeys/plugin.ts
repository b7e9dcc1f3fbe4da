// The passkeys plug-in: the steps of the device page, and the routes of its script.
import type { Opening, Plugin } from '../core/plugin.ts';
import { makeJudgeAssertion } from './assertion.ts';
import { makeCeremony } from './ceremony.ts';
import { makePasskeyFlow } from './flow.ts';
import { makePhoneCode } from './phone-code.ts';
import { addPasskeyRoutes } from './routes.ts';

export const passkeysPlugin = (opening: Opening): Plugin => ({
  ports: {},
  serve: (core) => {
    const { limits, publicUrl, log } = opening;
    const ceremony = makeCeremony({ publicUrl, timeoutMs: limits.passkeys.ceremonyMs, log });
    addPasskeyRoutes({ ...opening, ceremony, limits: limits.passkeys });
    const judge = makeJudgeAssertion({ ...opening, ceremony });
    const phoneCode = makePhoneCode({ ...opening, ...core });
    return { flows: { passkeys: makePasskeyFlow({ ...opening, ...core, ceremony, judge, phoneCode }) } };
  },
});
