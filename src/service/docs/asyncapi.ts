// The websocket as an AsyncAPI 3.0 document (asyncapi.com/docs/reference/specification/v3.0.0).
import { multiplexProtocol } from '../../contract/index.ts';
import { errorMessage, eventMessage } from '../core/websocket/messages.ts';
import { closeCodes, socketPath } from '../core/websocket/sockets.ts';
import { exampleOf, type JsonSchema, makeSchemaBook } from './json-schema.ts';

/** The meaning of each code with which a socket is closed (RFC 6455, 7.4). */
export const closings: readonly { readonly code: number; readonly means: string }[] = [
  { code: closeCodes.done, means: 'The request has ended or was withdrawn, and all its events were sent.' },
  { code: closeCodes.goingAway, means: 'The service is stopping. Connect again.' },
  { code: 1009, means: 'A message was larger than 64 KB.' },
  { code: closeCodes.fault, means: 'Something went wrong in the service. Connect again, and read the result meanwhile.' },
  {
    code: closeCodes.malformed,
    means: 'A message was not `CONNECT` and a token, or it was a second `CONNECT` on a socket for one request.',
  },
  { code: closeCodes.noConnect, means: 'No `CONNECT` with a known token arrived within five seconds.' },
  {
    code: closeCodes.unknownToken,
    means: 'The token is unknown. A socket for several requests is closed after three unknown tokens in a row.',
  },
];

const connect: JsonSchema = {
  type: 'string',
  pattern: '^CONNECT [A-Za-z0-9_-]{16,200}$',
  description: 'CONNECT, a space, and the wsToken that the send returned.',
  examples: ['CONNECT fWjhBw4bVvyHqkPzN2gUt7S0m9Xc3eRd'],
};

export type AsyncApi = ReturnType<typeof makeAsyncApi>;

/** Makes the document; `url` is the service's address, whose host serves the websocket. */
export const makeAsyncApi = (version: string, url: string) => {
  const book = makeSchemaBook();
  const schemas = { connect, event: book.answered(eventMessage), failure: book.answered(errorMessage) };
  const message = (name: string, summary: string, contentType: string, payload: JsonSchema) => ({
    name,
    summary,
    contentType,
    payload,
    examples: [{ payload: exampleOf(payload, book.shared()) }],
  });
  const { protocol, host } = new URL(url);
  const reference = (name: string) => ({ $ref: `#/channels/events/messages/${name}` });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Countersign verification and interaction service: events',
      version,
      description: 'Events are hints, and any of them may be lost. What counts is the result of the request.',
    },
    defaultContentType: 'application/json',
    servers: { service: { host, protocol: protocol === 'https:' ? 'wss' : 'ws', description: 'The service itself.' } },
    channels: {
      events: {
        address: socketPath,
        title: 'Events of requests',
        description: [
          'Send CONNECT and the token of a request. All its events follow as JSON text, including those from before the CONNECT.',
          `A socket carries the events of one request and is closed after the last. With the subprotocol \`${multiplexProtocol}\`, it carries the events of one request per CONNECT message; \`payload.request.id\` says which request an event belongs to, and a problem with one request arrives as an error message.`,
          'The service sends a ping every 20 seconds, and closes a connection that has not answered by the next one.',
          `Closing codes: ${closings.map(({ code, means }) => `${code}: ${means}`).join(' ')}`,
        ].join('\n\n'),
        messages: {
          connect: message('CONNECT', "Subscribes to a request's events.", 'text/plain', schemas.connect),
          event: message('event', 'Something happened to a request.', 'application/json', schemas.event),
          failure: message('error', 'Why no events, or no further events, of a request are sent.', 'application/json', schemas.failure),
        },
        bindings: {
          ws: {
            method: 'GET',
            headers: {
              type: 'object',
              properties: {
                'Sec-WebSocket-Protocol': { type: 'string', const: multiplexProtocol, description: 'For several requests on one socket.' },
              },
            },
            bindingVersion: '0.1.0',
          },
        },
      },
    },
    operations: {
      connect: {
        action: 'receive',
        summary: 'The service receives CONNECT messages.',
        channel: { $ref: '#/channels/events' },
        messages: [reference('connect')],
      },
      tell: {
        action: 'send',
        summary: 'The service sends events and errors.',
        channel: { $ref: '#/channels/events' },
        messages: [reference('event'), reference('failure')],
      },
    },
    components: { schemas: book.shared() },
  };
};
