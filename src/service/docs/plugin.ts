// The documents of the interface as a part of the service.
import type { Opening, Plugin } from '../core/plugin.ts';
import { socketPath } from '../core/websocket/sockets.ts';
import { webhookDescriptions } from '../webhooks/description.ts';
import { addDocs } from './routes.ts';

export const docsPlugin = (opening: Opening): Plugin => ({
  ports: {},
  serve: ({ operations }) => {
    addDocs({ ...opening, operations, webhooks: webhookDescriptions, socketPath });
    return {};
  },
});
