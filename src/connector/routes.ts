// The connector's operations over HTTP: the same as MCP's tools, one request each.
import { jsonLimits, readBody } from '../platform/http/http-body.ts';
import { HttpProblem } from '../platform/http/http-problem.ts';
import type { Answer, HttpRequest, HttpServer } from '../platform/http/http-server.ts';
import {
  type Authentication,
  type CallingProgram,
  catalogueNames,
  catalogues,
  type ProgramOperation,
  type Programs,
  parseInput,
} from '../programs/index.ts';
import { connectorPath, hookInput, hooksPath } from './definition.ts';

const nothing = () => new HttpProblem(404, 'not_found', 'There is nothing at this address.');

/**
 * @param operations - the current ones
 * @param publicUrl - the bot's address; unset: the address that was called, which is this machine
 * @param secure - whether outcomes are posted over https only
 */
export const addConnectorRoutes = (
  http: Pick<HttpServer, 'route'>,
  { programs, authentication }: { readonly programs: Programs; readonly authentication: Authentication },
  operations: () => readonly ProgramOperation[],
  publicUrl: string | undefined,
  secure: boolean,
): void => {
  const addressOf = ({ headers }: HttpRequest) => `${publicUrl?.replace(/\/$/, '') ?? `http://${headers.host}`}${connectorPath}`;
  const programOf = (request: HttpRequest) => authentication.authenticate(request, addressOf(request));
  const hook = hookInput(secure);

  for (const catalogue of catalogueNames)
    http.route('GET', `${connectorPath}/catalogue/${catalogue}`, async (request) => {
      await programOf(request);
      return { status: 200, body: { items: await catalogues[catalogue].read(programs.asked) } };
    });

  /** A post whose body is read when it is known who sends it. */
  const post = (path: string, handle: (request: HttpRequest, program: CallingProgram) => Promise<Answer>) =>
    http.route(
      'POST',
      path,
      async (request) => {
        const program = await programOf(request);
        return handle({ ...request, body: await readBody(request.raw, jsonLimits) }, program);
      },
      { body: 'none' },
    );

  post(hooksPath, async (request, program) => {
    const id = await programs.outcomes.subscribe(program, parseInput(hook, request.body).notificationUrl as string);
    // Power Platform deletes the hook at this address.
    return { status: 201, headers: { Location: `${addressOf(request)}/hooks/${id}` }, body: { id } };
  });

  http.route('DELETE', `${hooksPath}/:id`, async (request) => {
    const program = await programOf(request);
    if (!(await programs.outcomes.unsubscribe(program, request.params.id ?? ''))) throw nothing();
    return { status: 204 };
  });

  post(`${connectorPath}/:operation`, async (request, program) => {
    const operation = operations().find(({ name }) => name === request.params.operation);
    if (!operation) throw nothing();
    const gone = new AbortController();
    request.onAnswered(() => gone.abort());
    return { status: 200, body: await operation.run(programs, program, parseInput(operation.input, request.body), gone.signal) };
  });
};
