// A bot with some of the features switched on.
import { rmSync } from 'node:fs';
import { type RunningBot, startBot } from '../../src/compose/start/bot.ts';
import { serviceAccess } from '../../src/compose/start/service.ts';
import { readSettings } from '../../src/compose/start/settings.ts';
import { openTelemetry } from '../../src/compose/start/telemetry.ts';
import { makeLog } from '../../src/platform/log.ts';
import { newDataDir } from '../support/data-dir.ts';
import { hostsHere, SignedBy } from '../support/root-bot.ts';
import { type Talk, talkTo } from '../support/talk.ts';
import type { Feature } from './feature.ts';
import type { Surroundings } from './surroundings.ts';

/** A bot that runs, as a feature's proof uses it. */
export interface Started extends Surroundings {
  bot(): RunningBot;
  /** Whether it has an app id, so that channels have to authenticate. */
  readonly identified: boolean;
  /** Begins a chat; with a number that the site vouches for. */
  talk(language?: string, phoneNumber?: string): Promise<Talk>;
}

export const skillId = '8a4b1c50-0000-4000-8000-000000000001';

/** The language whose chats each hub gets if there are several. */
export const languageOfHub = { desk: 'en', chatwoot: 'de', event: 'es', omnichannel: 'ar', webhook: 'fr' } as const;
const always = `hours:
  timeZone: Europe/Madrid
  days: { ${['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => `${day}: ["00:00-24:00"]`).join(', ')} }
`;

/** The settings of these features together. Lists are joined, and chats are told apart by language. */
const settingsOf = async (features: readonly Feature[], around: Surroundings): Promise<Record<string, string>> => {
  const together: Record<string, string> = {};
  for (const { settings } of features)
    for (const [name, given] of Object.entries(settings)) {
      const value = typeof given === 'string' ? given : await given(around);
      const known = together[name];
      if (name === 'HANDOFF' && known !== undefined) together[name] = [...new Set([...known.split(','), value])].join(',');
      else if (known === undefined || known === value) together[name] = value;
      else throw new Error(`${name} is ${known} and ${value}`);
    }
  const hubs = (together.HANDOFF?.split(',') ?? []) as (keyof typeof languageOfHub)[];
  const rules = hubs.map((hub) => `  - { hub: ${hub}, languages: [${languageOfHub[hub]}] }\n`).join('');
  if (hubs.length > 0)
    together.HANDOFF_FILE = around.file('handoff.yaml', `rules:\n${rules}${together.HANDOFF_FILE === undefined ? '' : always}`);
  return { HANDOFF: 'none', ...together };
};

/** A feature that did not work. */
export class FeatureFault extends Error {
  override readonly name = 'FeatureFault';
  readonly code = 'feature';
  readonly feature: string;
  constructor(feature: string, cause: Error) {
    super(`“${feature}” does not work: ${cause.message}`, { cause });
    this.feature = feature;
  }
}

/** Starts the bot with these features, proves each of them, and stops it. */
export const prove = async (features: readonly Feature[], around: Surroundings): Promise<void> => {
  const folder = await newDataDir('bot.db');
  const { authority, port, ports, service } = around;
  const settings = readSettings({
    ...{ DATA_DIR: folder, PORT: String(port), TRUSTED_PROXIES: '0', LOG_LEVEL: 'silent' },
    ...{ SERVICE_BASE_URL: service.baseUrl, SERVICE_WS_URL: service.wsUrl, SERVICE_SECRET_KEY: service.secretKey },
    ...(await settingsOf(features, around)),
  });
  const telemetry = await openTelemetry(settings, () => {});
  const bot = await startBot({
    ...{ settings, telemetry, service: serviceAccess(settings), log: makeLog('silent') },
    ...(settings.MicrosoftAppId === undefined && { designer: { end: service.end, time: undefined } }),
    channels: {
      authority: { metadataUrl: authority.metadataUrl },
      skillAuthority: { metadataUrl: authority.metadataUrl },
      ...(settings.MicrosoftAppId !== undefined && { credentials: new SignedBy(authority, skillId) }),
      connections: hostsHere(() => ports),
    },
  });
  const started: Started = {
    ...around,
    bot: () => bot,
    identified: settings.MicrosoftAppId !== undefined,
    talk: (language = 'en-US', phoneNumber) => {
      const vouched = phoneNumber === undefined ? {} : { verified: { phoneNumber } };
      return talkTo({ bot: () => bot }, vouched, language);
    },
  };
  try {
    for (const { name, works } of features)
      await works(started).catch((cause: unknown) => {
        throw new FeatureFault(name, cause as Error);
      });
  } finally {
    await bot.close();
    await telemetry.close();
    rmSync(folder, { recursive: true });
  }
  for (const { name, worked } of features)
    if (worked && !(await worked(started))) throw new FeatureFault(name, new Error('nothing is seen of it'));
};
