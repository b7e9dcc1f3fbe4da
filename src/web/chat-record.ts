// What the chat page asks before it hands the conversation to the customer to keep.
import { z } from 'zod';
import { HttpProblem } from '../platform/http-problem.ts';
import type { HttpServer } from '../platform/http-server.ts';
import { isSameOrigin } from '../platform/same-origin.ts';
import { withoutSecrets } from '../platform/without-secrets.ts';

/** A page sends as many at once as fit into an API's JSON. */
const said = z.object({ said: z.array(z.string().max(20_000)).max(1000) });

/**
 * `POST /chat/record` `{ said: string[] }` → the same without card numbers and codes, by the rules of the transcript
 * that a person gets who takes a chat over. Nothing is kept. Decided here rather than in the page, so that there is one
 * set of rules.
 */
export const addChatRecord = (server: HttpServer, publicUrl: string | undefined) => {
  server.route('POST', '/chat/record', async (request) => {
    if (!isSameOrigin(request, publicUrl)) throw new HttpProblem(403, 'cross_site', 'Only the chat page itself can ask for this.');
    const { success, data } = said.safeParse(request.body);
    if (!success) throw new HttpProblem(422, 'invalid', 'Send { "said": ["…"] }.');
    return { status: 200, body: { said: data.said.map(withoutSecrets) } };
  });
};
