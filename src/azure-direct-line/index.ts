// The room's doorway: our chat page over the Direct Line of an Azure bot.
import type { Capability, OpenCapability } from '../compose/bot/capability.ts';
import { publicly } from '../compose/settings/core-faults.ts';
import { address, inTheClear, needs, secretLength, visible } from '../platform/settings/environment.ts';
import { makeAzureDirectLine } from './azure-direct-line.ts';
import type { AzureDirectLineOption } from './options.ts';

const shape = {
  AZURE_DIRECTLINE_SECRET: visible.min(secretLength, `must have at least ${secretLength} characters`).optional(),
  AZURE_DIRECTLINE_URL: address(/^https?$/, 'https://directline.botframework.com').optional(),
};

export const azureDirectLine: Capability<AzureDirectLineOption, OpenCapability, typeof shape> = {
  name: 'azure-direct-line',
  settings: {
    shape,
    faults: (set) => [
      ...(set.AZURE_DIRECTLINE_SECRET ? needs(set, ['MicrosoftAppId', 'PUBLIC_URL'], 'AZURE_DIRECTLINE_SECRET is') : []),
      ...(set.AZURE_DIRECTLINE_URL ? needs(set, ['AZURE_DIRECTLINE_SECRET'], 'AZURE_DIRECTLINE_URL is') : []),
      ...publicly(set, (when) => inTheClear(set, ['AZURE_DIRECTLINE_URL'], when)),
    ],
    options: ({ AZURE_DIRECTLINE_SECRET: secret, AZURE_DIRECTLINE_URL: url = 'https://directline.botframework.com' }, { directLine }) =>
      secret === undefined ? {} : { directLine: { ...directLine, azure: { secret, url } } },
  },
  open: ({ log }, { directLine, publicUrl }) => {
    const azure = directLine?.azure;
    return azure && { directLine: { ...makeAzureDirectLine(azure.url, azure.secret, publicUrl, log), directLineUrl: azure.url } };
  },
};
