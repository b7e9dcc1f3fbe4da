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

/** Leaves out, where the SDK asks for them, the libraries named, and of restify its plugins, as the packages do. */
const leaveOut = (late: readonly string[]) => `const Module = require('node:module');
const late = ${JSON.stringify(late)};
const nothing = new Proxy(() => nothing, { get: (_, name) => name === '__esModule' || nothing });
const load = Module._load;
Module._load = (name, parent, ...more) => {
  if (late.includes(name) && /node_modules\\/bot(?:builder|framework)/.test(parent?.filename)) return nothing;
  if (name === './plugins' && /restify\\/lib\\/index\\.js$/.test(parent?.filename)) return {};
  return load(name, parent, ...more);
};
`;

/** A program that loads them and ends; `late`: what the packages load only when it is used. */
export const loadingLibraries = (late: readonly string[] = []): string =>
  [
    late.length > 0 ? leaveOut(late) : '',
    ...required.map((name) => `require(${JSON.stringify(name)});`),
    `Promise.all([${imported.map((name) => `import(${JSON.stringify(name)})`).join()}]);`,
  ].join('\n');
