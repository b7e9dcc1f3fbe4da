// A service whose console uses the test's OpenID provider, as in production.
import type { StartTestService } from './each-database.ts';
import { freePort } from './free-port.ts';
import { makeTestProvider, type TestProviderOptions } from './openid-provider.ts';

/** Starts both. `down`: the provider is not up yet. The caller must close one and stop the other. */
export const startBesideProvider = async (
  start: StartTestService,
  more: Partial<TestProviderOptions> & { readonly down?: boolean } = {},
  overrides: Parameters<StartTestService>[0] = {},
) => {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const { down = false, ...options } = more;
  const provider = await makeTestProvider({ redirectUris: [`${home}/console/sign-in/callback`], ...options });
  if (!down) await provider.start();
  const delivery = { deliver: async () => ({ accepted: true }) as const };
  const service = await start({ port, demo: false, delivery, openId: provider.settings, ...overrides });
  return { provider, service, home };
};
