// Loads the libraries that a start of bot and service loads, once each, from where npm has put them.

/** Those that are required; of the SDK's dialogs the files that ours loads (decision 0145). */
const required = [
  'botbuilder',
  'botbuilder-dialogs/lib/componentDialog.js',
  'botbuilder-dialogs/lib/dialogSet.js',
  'botbuilder-dialogs/lib/waterfallDialog.js',
  'botframework-connector',
  'restify',
  'pino',
  'pg',
  'prom-client',
  'undici',
  'ws',
];

/** Those that are modules. */
const imported = [
  '@marcbachmann/cel-js',
  '@modelcontextprotocol/sdk/server/mcp.js',
  '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
  ...['ar', 'de', 'en', 'es', 'fr', 'ja'].map((language) => `chrono-node/${language}`),
  'intl-messageformat',
  'jose',
  'kysely',
  'kysely/migration',
  'libphonenumber-js',
  'lru-cache',
  'mime/lite',
  'rate-limiter-flexible',
  'ulid',
  'yaml',
  'zod',
];

/** Leaves out restify's plugins, as the packages do. */
const withoutPlugins = `const Module = require('node:module');
const load = Module._load;
Module._load = (name, parent, ...more) =>
  name === './plugins' && /restify\\/lib\\/index\\.js$/.test(parent?.filename) ? {} : load(name, parent, ...more);
`;

/** A program that loads them and ends, all of them or what the packages load. */
export const loadingLibraries = (asPackaged = false): string =>
  [
    asPackaged ? withoutPlugins : '',
    ...required.map((name) => `require(${JSON.stringify(name)});`),
    `Promise.all([${imported.map((name) => `import(${JSON.stringify(name)})`).join()}]);`,
  ].join('\n');
