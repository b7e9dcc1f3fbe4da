// The room's doorway: what programs may do, for agents that speak the Model Context Protocol.
import type { Capability } from '../compose/bot/capability.ts';
import { type CallingProgram, programs } from '../programs/index.ts';

export const mcp: Capability = {
  name: 'mcp',
  open: (bot, { publicUrl }) => {
    const opened = bot.of(programs);
    if (!opened?.access) return undefined;
    const { access, operations, programs: offered } = opened;
    return {
      serve: async (site) => {
        // Loaded only here: most of it is the protocol's own library.
        const [{ addMcpRoutes }, { makeMcpServer }] = await Promise.all([import('./routes.ts'), import('./server.ts')]);
        const serverFor = (program: CallingProgram) => makeMcpServer(offered, operations('mcp', site), program, bot.log);
        addMcpRoutes(site.http, serverFor, access, publicUrl);
        site.announce({ label: 'mcp', path: '/mcp' });
      },
    };
  },
};
