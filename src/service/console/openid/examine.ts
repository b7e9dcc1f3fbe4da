// Looking at an OpenID provider without signing anybody in, for the doctor.
import { discover, makeProviderAgent } from './discover.ts';
import { readRefusal } from './refusal.ts';
import type { OpenIdSettings } from './settings.ts';

/** Whether the provider is there and is the one that the settings name; else why not, as a code. */
export const examineProvider = async (settings: OpenIdSettings): Promise<{ readonly fault?: string }> => {
  const agent = makeProviderAgent();
  try {
    await discover(settings, agent);
    return {};
  } catch (fault) {
    return { fault: (await readRefusal(fault)).code };
  } finally {
    await agent.destroy();
  }
};
