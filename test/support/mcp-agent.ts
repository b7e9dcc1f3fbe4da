// An agent that speaks the Model Context Protocol, by the protocol's own client.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Whole } from './whole.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at as a client of any language sees them.
export type Answer = any;

export interface Agent {
  readonly client: Client;
  /** The structured answer of a tool. */
  call(tool: string, input?: object): Promise<Answer>;
  /** The refusal of a tool, which must refuse. */
  refusal(tool: string, input?: object): Promise<Answer>;
  /** Waits until it is over, in as many calls as it takes. */
  outcome(interactionId: string): Promise<Answer>;
  read(catalogue: string): Promise<Answer>;
  close(): Promise<void>;
}

export const keyOf = ({ dataDir }: Pick<Whole, 'dataDir'>): string => readFileSync(join(dataDir, 'mcp.key'), 'utf8').trim();

export const openAgent = async (url: string, key: string): Promise<Agent> => {
  const client = new Client({ name: 'an-agent', version: '1.0.0' });
  const headers = { authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }) as never);
  // The client checks structured answers by the schemas of the tools that it has seen.
  await client.listTools();
  const call: Agent['call'] = async (name, input = {}) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: { ...input } });
    if (isError) throw new Error(JSON.stringify(content));
    return structuredContent;
  };
  return {
    client,
    call,
    refusal: async (name, input = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...input } });
      const [{ text }] = content as [{ text: string }];
      if (!isError) throw new Error(`${name} was not refused: ${text}`);
      return text.startsWith('{') ? JSON.parse(text) : text;
    },
    outcome: async (interactionId) => {
      let view = await call('status', { interactionId });
      while (view.state === 'pending') view = await call('wait', { interactionId, cursor: view.cursor, seconds: 10 });
      return view;
    },
    read: async (catalogue) => {
      const { contents } = await client.readResource({ uri: `countersign://${catalogue}` });
      return JSON.parse((contents[0] as { text: string }).text);
    },
    close: () => client.close(),
  };
};
