// The room's doorway: calls through a voice gateway. They are chats of our own Direct Line, entered by another way.
import type { Capability, OpenCapability } from '../compose/bot/capability.ts';
import { secretLength, visible } from '../platform/settings/environment.ts';
import { addCallRoutes } from './calls.ts';
import type { VoiceOption } from './options.ts';

const shape = {
  VOICE_GATEWAY_KEY: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
};

export const voice: Capability<VoiceOption, OpenCapability, typeof shape> = {
  name: 'voice',
  settings: {
    shape,
    options: ({ VOICE_GATEWAY_KEY: key }, { voice: given }) => ({ voice: { ...given, key } }),
  },
  open: (_bot, { voice: { key } = {} }) => {
    let calls: ReturnType<typeof addCallRoutes> | undefined;
    return key === undefined
      ? undefined
      : {
          serve: ({ directLine }) => {
            calls = addCallRoutes(directLine, key);
          },
          close: () => calls?.close(),
        };
  },
};
