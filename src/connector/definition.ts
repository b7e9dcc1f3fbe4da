// The files of a Power Platform connector (learn.microsoft.com, "Create a custom connector from an OpenAPI
// definition"): its operations in Swagger 2.0 with Microsoft's extensions, and how a connection gets the key.
import { z } from 'zod';
import countersign from '../../package.json' with { type: 'json' };
import type { DescribedBot } from '../compose/bot/capability.ts';
import { catalogueNames, catalogues, operationsOf, type ProgramOperation, view } from '../programs/index.ts';
import { listOperation, type SwaggerSchema, swaggerOf } from './schemas.ts';

/** The path of the operations. */
export const connectorPath = '/connector';

/** The path at which addresses subscribe to outcomes. */
export const hooksPath = `${connectorPath}/hooks`;

/**
 * The input of a subscription. `secure`: https, and a public host name. A name that resolves to a private address is
 * refused on connection; an IP address would not be resolved, so it is refused here.
 */
export const hookInput = (secure: boolean) =>
  z.strictObject({
    notificationUrl: z
      .url({
        ...(secure ? { protocol: /^https$/, hostname: z.regexes.domain } : { protocol: /^https?$/ }),
        error: secure ? 'must be an https address with a public name' : 'must be an http or https address',
      })
      .max(2000)
      .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, 'must be an address without credentials')
      .meta({ description: 'The address that outcomes are posted to.' }),
  });

/** `start_flow` as an identifier of Power Platform. */
const operationIdOf = (name: string): string => name.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

const refused = {
  description: 'Refused: `code` says why, `errors` where.',
  schema: { $ref: '#/definitions/Problem' },
};

const text = (summary: string, description: string) => ({ type: 'string', 'x-ms-summary': summary, description });
const problem: SwaggerSchema = {
  type: 'object',
  properties: {
    code: text('Code', 'Why it was refused, for programs.'),
    detail: text('Detail', 'Why it was refused, for people.'),
    errors: {
      type: 'array',
      items: { type: 'object', properties: { path: text('Path', 'The field.'), message: text('Message', 'What is wrong with it.') } },
    },
  },
};

const actionOf = ({ description, input, name, output, title }: ProgramOperation) => ({
  post: {
    ...{ operationId: operationIdOf(name), summary: title, description },
    parameters: [{ name: 'body', in: 'body', required: true, schema: swaggerOf(input, 'input') }],
    responses: { 200: { description: 'Done.', schema: swaggerOf(output, 'output') }, default: refused },
  },
});

const listOf = (name: (typeof catalogueNames)[number]) => {
  const { description, title } = catalogues[name];
  const items = {
    type: 'array',
    items: { type: 'object', properties: { id: text('Id', 'What a start says it by.'), title: text('Title', 'What it is called.') } },
  };
  return {
    get: {
      ...{ operationId: listOperation(name), summary: `List ${title.toLowerCase()}`, description, 'x-ms-visibility': 'internal' },
      parameters: [],
      responses: { 200: { description: 'The list.', schema: { type: 'object', properties: { items } } }, default: refused },
    },
  };
};

/** Fires for every outcome (learn.microsoft.com, "Use a webhook as a trigger"). */
const trigger = () => {
  const { properties, ...schema } = swaggerOf(hookInput(true), 'input') as { properties: { notificationUrl: object } };
  const notificationUrl = { ...properties.notificationUrl, 'x-ms-notification-url': true, 'x-ms-visibility': 'internal' };
  return {
    'x-ms-notification-content': { description: 'How it ended.', schema: swaggerOf(view, 'output') },
    post: {
      ...{ operationId: 'OnOutcome', summary: 'When something has ended', 'x-ms-trigger': 'single' },
      description: 'Fires for every app and flow, started with the same key, that has ended.',
      parameters: [{ name: 'body', in: 'body', required: true, schema: { ...schema, properties: { notificationUrl } } }],
      responses: { 201: { description: 'Added.' }, default: refused },
    },
  };
};
const takenBack = {
  delete: {
    ...{ operationId: 'RemoveOutcomeHook', summary: 'Stop posting outcomes', description: 'Removes an address.' },
    'x-ms-visibility': 'internal',
    parameters: [{ name: 'id', in: 'path', required: true, type: 'string', 'x-ms-url-encoding': 'single' }],
    responses: { 204: { description: 'Removed.' }, default: refused },
  },
};

/**
 * The same as one tool for agents that speak MCP (learn.microsoft.com, "Connect your agent to an existing MCP server").
 */
const mcp = {
  post: {
    ...{ operationId: 'InvokeMCP', summary: 'Model Context Protocol', description: 'All operations as tools.' },
    'x-ms-agentic-protocol': 'mcp-streamable-1.0',
    responses: { 200: { description: 'Answered.' } },
  },
};

/** `apiDefinition.swagger.json`. */
export const connectorDefinition = ({ apps, flows, host, name }: DescribedBot) => ({
  swagger: '2.0',
  info: {
    title: name.slice(0, 30),
    description:
      'Asks customers, on their own device, to confirm who they are, to sign, to pay or to fill in a form, and reports how it ended.',
    version: countersign.version,
  },
  ...{ host, basePath: '/', schemes: ['https'], consumes: ['application/json'], produces: ['application/json'] },
  paths: {
    ...Object.fromEntries(operationsOf(flows, apps).map((operation) => [`${connectorPath}/${operation.name}`, actionOf(operation)])),
    ...Object.fromEntries(catalogueNames.map((catalogue) => [`${connectorPath}/catalogue/${catalogue}`, listOf(catalogue)])),
    [hooksPath]: trigger(),
    [`${hooksPath}/{id}`]: takenBack,
    '/mcp': mcp,
  },
  definitions: { Problem: problem },
  securityDefinitions: { api_key: { type: 'apiKey', in: 'header', name: 'Authorization' } },
  security: [{ api_key: [] }],
  'x-ms-connector-metadata': [
    { propertyName: 'Website', propertyValue: `https://${host}` },
    { propertyName: 'Privacy policy', propertyValue: `https://${host}/privacy` },
    { propertyName: 'Categories', propertyValue: 'Communication' },
  ],
});

/** `apiProperties.json`: the person who creates a connection enters the key, which is sent as a bearer token. */
export const connectorProperties = ({ accent, name }: DescribedBot) => ({
  properties: {
    connectionParameters: {
      api_key: {
        type: 'securestring',
        uiDefinition: {
          displayName: 'Key',
          description: 'The key that the operator of the bot has set for other agents (MCP_KEY).',
          tooltip: 'At least 32 characters.',
          constraints: { tabIndex: 2, clearText: false, required: 'true' },
        },
      },
    },
    iconBrandColor: accent,
    capabilities: ['actions', 'triggers'],
    policyTemplateInstances: [
      {
        templateId: 'setheader',
        title: 'Send the key as a bearer key',
        parameters: {
          'x-ms-apimTemplateParameter.name': 'Authorization',
          'x-ms-apimTemplateParameter.value': "Bearer @connectionParameters('api_key')",
          'x-ms-apimTemplateParameter.existsAction': 'override',
          'x-ms-apimTemplate-policySection': 'Request',
        },
      },
    ],
    publisher: name,
    stackOwner: name,
  },
});
