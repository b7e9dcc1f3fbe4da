// The websocket's section of the page: how to connect, the messages, and why a socket is closed.
import { html } from '../../platform/text/html.ts';
import { type AsyncApi, closings } from './asyncapi.ts';
import { codePanel, prose, rows, type Section } from './guide.ts';

const types: readonly (readonly [type: string, means: string])[] = [
  ['task.sent', 'The message was handed over to the customer’s operator.'],
  ['task.bootstrapped', 'The customer has opened the link.'],
  ['task.started', 'The customer has begun.'],
  ['biometrics.consent', 'The device is asking for a fingerprint, a face or a PIN (passkeys).'],
  ['webauthn.timeout_or_cancelled', 'The device gave up, or the customer did; they can try again (passkeys).'],
  ['task.succeeded', 'Done. The result is `success`.'],
  ['task.failed', 'Declined, or it could not be done. The result is `failure`.'],
  ['task.timed_out', 'The request expired. The result is `timeout`.'],
];

export const events = ({ channels }: AsyncApi, socketUrl: string): Section => {
  const { connect, event, failure } = channels.events.messages;
  return {
    id: 'events',
    title: 'Events',
    body: html`<p>Open a websocket, send <code>CONNECT</code> and the token that the send returned, and receive all events, from the first one on. After the last one, the socket is closed with 1000.</p>
      <p>Ask for the subprotocol <code>multiplex.v1</code> to follow many requests on one socket: send a <code>CONNECT</code> for each. Events then name their request in <code>payload.request.id</code>. A problem with one request arrives as an error message, and the socket stays open for the others.</p>
      <p>Events are hints: any of them may be lost with a connection. Read the result after every connect, and when the last event arrives.</p>
      ${codePanel('Address', socketUrl)}
      ${codePanel('You send', connect.examples[0]?.payload)}
      ${codePanel('An event', event.examples[0]?.payload)}
      ${codePanel('An error', failure.examples[0]?.payload)}
      <h3 id="event-types">Types</h3>
      ${rows(types.map(([type, means]) => [html`<code>${type}</code>`, prose(means)]))}
      <h3 id="closing-codes">Why a socket is closed</h3>
      ${rows(closings.map(({ code, means }) => [html`<code>${code}</code>`, prose(means)]))}
      <h3 id="event-fields">Fields</h3>
      <div id="messages"><p>They are described in <a href="/asyncapi.json">asyncapi.json</a>.</p></div>`,
  };
};
