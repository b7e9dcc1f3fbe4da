// The room's doorway: what programs may do, for agents that speak the Model Context Protocol.
import type { Capability } from '../compose/bot/capability.ts';
import { programs } from '../programs/index.ts';

export const mcp: Capability = {
  name: 'mcp',
  open: (bot, { publicUrl }) => {
    const opened = bot.of(programs);
    if (!opened?.access) return undefined;
    const { access, operations, programs: offered } = opened;
    return {
      links: () => [{ label: 'mcp', path: '/mcp' }],
      serve: async (site) => {
        // Loaded only here: most of it is the protocol's own library.
        const { addMcpRoutes } = await import('./routes.ts');
        addMcpRoutes({ http: site.http, programs: offered, operations: () => operations('mcp', site), ...access, publicUrl, log: bot.log });
      },
    };
  },
};
