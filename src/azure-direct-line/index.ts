// The room's doorway: our chat page over the Direct Line of an Azure bot.
import type { Capability } from '../compose/bot/capability.ts';
import { makeAzureDirectLine } from './azure-direct-line.ts';

export { makeAzureDirectLine } from './azure-direct-line.ts';

export const azureDirectLine: Capability<{
  readonly directLine?:
    | {
        /** With it, our page runs over the Direct Line of an Azure bot: its address and one of its keys. */
        readonly azure?: { readonly url: string; readonly secret: string } | undefined;
      }
    | undefined;
}> = {
  name: 'azure-direct-line',
  open: ({ log }, { directLine, publicUrl }) => {
    const azure = directLine?.azure;
    return azure && { directLine: { ...makeAzureDirectLine({ ...azure, publicUrl, log }), directLineUrl: azure.url } };
  },
};
