// The rooms of the code, from the ground up: the one place that says who may import whom. rooms.test.ts holds every
// import to it, and `npm run diagram` draws docs/architecture.md from it.

export interface Room {
  readonly name: string;
  /** From the root of the repository; a room inside another room's folder is named by the longer one. */
  readonly folder: string;
  /** Files and folders elsewhere that belong to it. */
  readonly also?: readonly string[];
  readonly holds: string;
  /** Rooms further up this list. Compose wires everything, so it may import every one of them. */
  readonly mayImport: readonly string[] | 'all above';
  /** Its index.ts is the only file that others may import. */
  readonly doorway?: true;
  /** Files beside the doorway that others may import: what settings need before anything else is loaded. */
  readonly besideDoorway?: readonly string[];
  /**
   * The one file that may import the Bot Framework's packages. Their support has ended: a move to their successor is a
   * change of these files.
   */
  readonly botFramework?: string;
}

export const rooms: readonly Room[] = [
  {
    name: 'platform',
    folder: 'src/platform',
    holds: 'ground that bot and service share: HTTP server, pages, database, clock, log, telemetry',
    mayImport: [],
  },
  {
    name: 'sign-in',
    folder: 'src/sign-in',
    holds: 'how staff sign in, by a link or an OpenID provider: for the desk and the service’s console',
    mayImport: ['platform'],
  },
  {
    name: 'contract',
    folder: 'src/contract',
    holds: "the service's interface as schemas and types",
    mayImport: ['platform'],
    doorway: true,
  },
  { name: 'texts', folder: 'dialogs/locales', holds: 'the sentences that customers read, a file per language', mayImport: [] },
  { name: 'cards', folder: 'cards', holds: 'Adaptive Cards as typed functions', mayImport: ['contract', 'texts'], doorway: true },
  {
    name: 'client',
    folder: 'src/client',
    holds: 'typed calls to any conforming service',
    mayImport: ['platform', 'contract'],
    doorway: true,
  },
  {
    name: 'interactions',
    folder: 'src/interactions',
    holds: 'the lifecycle of an interaction: start, wait, decide, deliver',
    mayImport: ['platform', 'contract', 'client'],
    doorway: true,
  },
  {
    name: 'storage',
    folder: 'src/storage',
    holds: 'SQLite or Postgres',
    mayImport: ['platform', 'contract', 'interactions'],
    doorway: true,
  },
  {
    name: 'verification',
    folder: 'src/verification',
    holds: 'who is verified in a chat: one record, one guard',
    mayImport: ['platform', 'contract', 'interactions'],
    doorway: true,
  },
  {
    name: 'bot',
    folder: 'src/bot',
    holds: 'Bot Framework channels: authentication, turns, proactive messages',
    mayImport: ['platform', 'contract', 'interactions', 'storage'],
    doorway: true,
    besideDoorway: ['src/bot/refuse-unsafe.ts'],
    botFramework: 'src/bot/sdk.ts',
  },
  {
    name: 'directline',
    folder: 'src/directline',
    holds: 'our own Direct Line 3.0 for the web chat',
    mayImport: ['platform', 'storage'],
    doorway: true,
    botFramework: 'src/directline/direct-line.ts',
  },
  { name: 'web', folder: 'src/web', holds: 'the chat page and its assets', mayImport: ['platform'], doorway: true },
  {
    name: 'dialogs',
    folder: 'dialogs',
    holds: 'conversations: the steps that apps share, a file per app, the wait, the texts',
    mayImport: ['platform', 'contract', 'texts', 'cards', 'interactions', 'verification'],
    doorway: true,
    besideDoorway: ['dialogs/turn/catalogue.ts'],
    botFramework: 'dialogs/sdk.ts',
  },
  {
    name: 'service pdf',
    folder: 'src/service/pdf',
    also: ['src/service/package-folder.ts'],
    holds: 'paper to print on, and the key that seals files',
    mayImport: ['platform'],
  },
  {
    name: 'service core',
    folder: 'src/service/core',
    also: ['src/service/locales'],
    holds: 'the reference service’s requests, lifecycle, results, websocket, device pages, audit, accounts and store',
    mayImport: ['platform', 'contract', 'service pdf'],
  },
  {
    name: 'service passkeys',
    folder: 'src/service/passkeys',
    holds: 'the app passkeys: its store, tables, routes and page',
    mayImport: ['platform', 'contract', 'service core'],
  },
  {
    name: 'service one-time-passcode',
    folder: 'src/service/one-time-passcode',
    holds: 'the app one-time-passcode: its checks and locks',
    mayImport: ['platform', 'sign-in', 'contract', 'service core'],
  },
  {
    name: 'service document-signature',
    folder: 'src/service/document-signature',
    holds: 'the app document-signature: its store, table, route, page and file',
    mayImport: ['platform', 'contract', 'service core', 'service pdf'],
  },
  {
    name: 'service payments',
    folder: 'src/service/payments',
    holds: 'the app payments: its gateways, store, tables, routes, pages and receipts',
    mayImport: ['platform', 'contract', 'service core', 'service pdf'],
  },
  {
    name: 'service e-form',
    folder: 'src/service/e-form',
    holds: 'the app e-form: its page and answers',
    mayImport: ['platform', 'contract', 'service core'],
  },
  {
    name: 'service delivery',
    folder: 'src/service/delivery',
    holds: 'the ways to customers: SMS, e-mail, outbox',
    mayImport: ['platform', 'contract', 'service core'],
  },
  {
    name: 'service webhooks',
    folder: 'src/service/webhooks',
    holds: 'events posted to accounts',
    mayImport: ['platform', 'contract', 'service core'],
  },
  {
    name: 'service docs',
    folder: 'src/service/docs',
    holds: 'the documents of the interface',
    mayImport: ['platform', 'contract', 'service core'],
  },
  {
    name: 'service console',
    folder: 'src/service/console',
    holds: 'the page for operators and viewers',
    mayImport: ['platform', 'sign-in', 'contract', 'service core', 'service one-time-passcode', 'service e-form', 'service webhooks'],
  },
  {
    name: 'service',
    folder: 'src/service',
    holds: 'the reference service: the list of its parts, settings, start and stop, commands',
    mayImport: [
      'platform',
      'contract',
      'service pdf',
      'service core',
      'service passkeys',
      'service one-time-passcode',
      'service document-signature',
      'service payments',
      'service e-form',
      'service delivery',
      'service webhooks',
      'service docs',
      'service console',
    ],
    doorway: true,
  },
  {
    name: 'installed service',
    folder: 'src/compose/installed-service.ts',
    holds: 'the reference service, where it is part of the install',
    mayImport: ['platform', 'service'],
  },
  {
    name: 'assembly',
    folder: 'src/compose/bot',
    also: ['src/compose/settings'],
    holds: 'the bot, assembled from the rooms above and opened with a list of capabilities, none of which it knows',
    mayImport: [
      ...['platform', 'contract', 'texts', 'cards', 'client', 'interactions', 'storage', 'verification', 'bot'],
      ...['directline', 'web', 'dialogs'],
    ],
    botFramework: 'src/compose/bot/sdk.ts',
  },
  {
    name: 'handoff',
    folder: 'src/handoff',
    holds: 'live agents: what they do in a chat, and a folder per hub',
    mayImport: ['platform', 'contract', 'cards', 'interactions', 'storage', 'verification', 'dialogs', 'assembly'],
    doorway: true,
    besideDoorway: ['src/handoff/hub-options.ts'],
    botFramework: 'src/handoff/sdk.ts',
  },
  {
    name: 'desk',
    folder: 'src/desk',
    besideDoorway: ['src/desk/capability.ts'],
    holds: 'the page where agents take chats over',
    mayImport: ['platform', 'sign-in', ...['contract', 'interactions', 'storage', 'verification', 'dialogs', 'assembly', 'handoff']],
    doorway: true,
  },
  {
    name: 'flows',
    folder: 'src/flows',
    holds: "designers' flows: their grammar, the checks, and how they run on the dialogs",
    mayImport: [...['platform', 'contract', 'cards', 'interactions', 'storage', 'bot', 'dialogs', 'installed service', 'assembly']],
    doorway: true,
    besideDoorway: ['src/flows/options.ts', 'src/flows/testing/flow-stage.ts', 'src/flows/testing/stage-world.ts'],
    botFramework: 'src/flows/sdk.ts',
  },
  {
    name: 'programs',
    folder: 'src/programs',
    holds: 'what other programs may start for customers: authentication, and every operation',
    mayImport: ['platform', 'contract', 'interactions', 'storage', 'bot', 'dialogs', 'assembly'],
    doorway: true,
    besideDoorway: ['src/programs/options.ts'],
    botFramework: 'src/programs/runs/runs.ts',
  },
  {
    name: 'mcp',
    folder: 'src/mcp',
    holds: 'the same for agents that speak the Model Context Protocol',
    mayImport: ['platform', 'assembly', 'programs'],
    doorway: true,
  },
  {
    name: 'connector',
    folder: 'src/connector',
    holds: 'the same for Power Platform: the files of a connector, and its operations',
    mayImport: ['platform', 'dialogs', 'assembly', 'programs'],
    doorway: true,
  },
  {
    name: 'designer',
    folder: 'src/designer',
    holds: 'the page for flow designers: diagram, chat, outcomes, problems, funnel',
    mayImport: ['platform', 'bot', 'web', 'assembly', 'flows'],
    doorway: true,
  },
  {
    name: 'gallery',
    folder: 'src/gallery',
    holds: 'the page that shows every card in every language, as each channel shows it',
    mayImport: ['platform', 'contract', 'cards', 'dialogs', 'assembly'],
    doorway: true,
    besideDoorway: ['src/gallery/samples.ts'],
  },
  {
    name: 'own cards',
    folder: 'src/own-cards',
    holds: 'an operator’s card templates in place of our cards',
    mayImport: ['platform', 'cards', 'dialogs', 'assembly', 'gallery'],
    doorway: true,
    besideDoorway: ['src/own-cards/options.ts'],
  },
  {
    name: 'skill',
    folder: 'src/skill',
    holds: 'the manifest of this bot as a skill of others',
    mayImport: ['platform', 'contract', 'dialogs', 'assembly'],
    doorway: true,
  },
  {
    name: 'azure-direct-line',
    folder: 'src/azure-direct-line',
    holds: 'the chat page over an Azure bot’s Direct Line',
    mayImport: ['platform', 'web', 'assembly'],
    doorway: true,
    besideDoorway: ['src/azure-direct-line/options.ts'],
  },
  {
    name: 'voice',
    folder: 'src/voice',
    holds: 'calls through a voice gateway',
    mayImport: ['platform', 'storage', 'directline', 'assembly'],
    doorway: true,
    besideDoorway: ['src/voice/options.ts'],
  },
  {
    name: 'guests',
    folder: 'src/guests',
    holds: 'the apps and flows as dialogs of another bot',
    mayImport: ['platform', 'contract', 'interactions', 'storage', 'bot', 'dialogs', 'assembly', 'flows'],
    doorway: true,
    besideDoorway: ['src/guests/create-dialogs.ts'],
  },
  {
    name: 'testing',
    folder: 'src/testing',
    holds: 'stages on which programs test their flows and dialogs',
    mayImport: ['platform', 'dialogs', 'assembly', 'flows', 'own cards', 'guests'],
    doorway: true,
  },
  {
    name: 'compose',
    folder: 'src/compose',
    holds: 'the list of capabilities, settings, start and stop, operator commands',
    mayImport: 'all above',
  },
  {
    name: 'main',
    folder: 'src/main.ts',
    also: ['src/program.ts', 'src/start.ts'],
    holds: 'the process',
    mayImport: ['platform', 'installed service', 'compose'],
  },
];
