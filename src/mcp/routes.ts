// MCP over streamable HTTP, at `/mcp`, and its resource metadata (RFC 9728, as MCP's authorization requires).
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { jsonLimits, readBody } from '../platform/http/http-body.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { Answer, HttpRequest, HttpServer } from '../platform/http/http-server.ts';
import type { Authentication, CallingProgram } from '../programs/index.ts';
import type { makeMcpServer } from './server.ts';

const path = '/mcp';
const noBatch = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'Send one message at a time.' } };
/** For a resource with a path, the path follows (RFC 9728, section 3.1); clients also try without it. */
const metadataPaths = [`/.well-known/oauth-protected-resource${path}`, '/.well-known/oauth-protected-resource'] as const;

/** Who may call. */
interface McpAccess {
  readonly authentication: Authentication;
  /** The authorization server that issues tokens, if any. */
  readonly issuer?: string | undefined;
  /** The scopes that its tokens must have, separated by spaces. */
  readonly scope?: string | undefined;
}

/**
 * @param serverFor - the server for a request of a program
 * @param publicUrl - the bot's address; unset: the address that was called, which is this machine
 */
export const addMcpRoutes = (
  http: Pick<HttpServer, 'route'>,
  serverFor: (program: CallingProgram) => ReturnType<typeof makeMcpServer>,
  { authentication, issuer, scope }: McpAccess,
  publicUrl: string | undefined,
): void => {
  const baseOf = ({ headers }: Pick<HttpRequest, 'headers'>) => publicUrl?.replace(/\/$/, '') ?? `http://${headers.host}`;

  /** A page of another site must not call through a browser in this network (specification, "Security Warning"). */
  const refuseOtherSites = (request: HttpRequest) => {
    const { origin } = request.headers;
    if (origin !== undefined && origin !== new URL(baseOf(request)).origin)
      throw new HttpProblem(403, 'wrong_origin', 'Pages of other sites cannot ask here.');
  };

  const post = async (request: HttpRequest): Promise<Answer> => {
    refuseOtherSites(request);
    const base = baseOf(request);
    const resource = `${base}${path}`;
    const program = await authentication.authenticate(request, resource, `resource_metadata="${base}${metadataPaths[0]}"`);
    // Since version 2025-06-18 the protocol has no batches. One of them would count as a single call.
    const parsedBody = await readBody(request.raw, jsonLimits);
    if (Array.isArray(parsedBody)) return { status: 400, body: noBatch };
    const server = serverFor(program);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    // A client that has disconnected does not wait any more.
    request.onAnswered(() => server.close());
    const { accept = '', 'content-type': type = '', 'mcp-protocol-version': version } = request.headers;
    const headers = { accept, 'content-type': type, ...(typeof version === 'string' && { 'mcp-protocol-version': version }) };
    const response = await transport.handleRequest(new Request(resource, { method: 'POST', headers }), { parsedBody });
    const body = Buffer.from(await response.arrayBuffer());
    const contentType = response.headers.get('content-type');
    return { status: response.status, ...(body.length > 0 && { body }), ...(contentType && { headers: { 'Content-Type': contentType } }) };
  };
  // The body is read when it is known who sends it.
  http.route('POST', path, post, { body: 'none' });

  for (const metadataPath of metadataPaths)
    http.route('GET', metadataPath, (request) => ({
      status: 200,
      headers: { 'Cache-Control': 'public, max-age=300' },
      body: {
        resource: `${baseOf(request)}${path}`,
        ...(issuer !== undefined && { authorization_servers: [issuer] }),
        ...(scope !== undefined && { scopes_supported: scope.split(' ') }),
        bearer_methods_supported: ['header'],
        resource_name: 'Countersign',
      },
    }));
};
