// The room's doorway: the Power Platform connector, its files and its operations.
import type { Capability } from '../compose/bot/capability.ts';
import { programs } from '../programs/index.ts';
import { connectorDefinition, connectorProperties } from './definition.ts';
import { addConnectorRoutes } from './routes.ts';

export const connector: Capability = {
  name: 'connector',
  commands: {
    manifest: {
      kind: 'connector',
      files: (bot) => ({
        files: {
          'connector/apiDefinition.swagger.json': connectorDefinition(bot),
          'connector/apiProperties.json': connectorProperties(bot),
        },
      }),
    },
  },
  open: (bot, { identity, publicUrl }) => {
    const opened = bot.of(programs);
    if (!opened?.access) return undefined;
    const { access, operations, programs: offered } = opened;
    return {
      serve: (site) => {
        const callers = { programs: offered, authentication: access.authentication };
        const secure = identity?.MicrosoftAppId !== undefined;
        addConnectorRoutes(site.http, callers, () => operations('connector', site), publicUrl, secure);
      },
    };
  },
};
