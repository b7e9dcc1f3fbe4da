// The introduction before the operations: the steps of a request, keys, repeated calls, limits, refusals.
import { type Html, html } from '../../platform/html.ts';
import { explained, problemCodes } from '../core/api/problems.ts';
import { type Behaviour, testNumbers } from '../core/test-numbers.ts';
import { curl, jsonCode, panel } from './code.ts';
import { exampleOf } from './examples.ts';
import type { OpenApi } from './openapi.ts';
import { prose } from './prose.ts';

/** A section of the page, with its title in the contents. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** A request in four steps. */
export const overview: Section = {
  id: 'overview',
  title: 'How it works',
  body: html`<p>All apps work the same way: your server sends a request, the customer acts on their own device, and your server reads the outcome.</p>
    <ol class="steps">
      <li><b>Bootstrap</b><span>Look up a phone number: you get its customers, and what can be sent to them.</span></li>
      <li><b>Send</b><span>The customer gets a message with a link or a code. You get a <code>requestId</code> and a <code>wsToken</code>.</span></li>
      <li><b>Listen</b><span>Open the websocket with the token and follow the events. Each is a hint and may be lost.</span></li>
      <li><b>Read the result</b><span><code>GET /results/{id}</code> returns the outcome: <code>success</code>, <code>failure</code> or <code>timeout</code>.</span></li>
    </ol>`,
};

export const authentication = ({ servers }: OpenApi): Section => ({
  id: 'authentication',
  title: 'Authentication',
  body: html`<div class="operation"><div class="told">
      <p>Every call carries the secret key of your account as a Bearer token. A missing, wrong or expired key always gets the same <a href="#code-unauthorized"><code>401 unauthorized</code></a>.</p>
      <p>A key gives access to its own account only: it cannot see requests, results or customers of any other account. Keep it on a server, never in a page or an app.</p>
      <p>An account can have several keys at once, so that a key can be replaced without downtime: add the new key, switch your servers to it, then remove the old one.</p>
    </div><div class="shown">${panel('Call', curl({ method: 'GET', url: new URL('/results/01KAH5Z0V8Q2J9XW3N4M5P6R7S', servers[0]?.url).href }))}</div></div>`,
});

/** The rules for all operations. */
export const rules = ({ components: { schemas } }: OpenApi): Section => ({
  id: 'rules',
  title: 'Good to know',
  body: html`<div class="operation"><div class="told">
      <h3 id="repeating">Repeating safely</h3>
      <p>Give every send an <code>Idempotency-Key</code> that you generated and stored before sending. If the answer is lost, repeat the call with the same key: it is carried out once, and you get the same answer. The same key with a different body is refused.</p>
      <h3 id="limits">Limits</h3>
      <p>A body may have up to 64 KB. Calls are limited per account, messages per customer. A call over a limit gets a <code>429</code> with <code>Retry-After</code>; the <code>RateLimit</code> headers say what is left of a quota.</p>
      <h3 id="tracing">Finding a call again</h3>
      <p>Every answer carries an <code>X-Request-Id</code>. You can send your own: 8 to 64 letters, digits and hyphens.</p>
      <h3 id="changes">Changes</h3>
      <p>Existing fields and codes do not change. New fields in answers and new types of events may be added, so ignore what you do not know. Requests with unknown fields are refused.</p>
    </div><div class="shown">${panel('A refusal', jsonCode(exampleOf({ $ref: '#/components/schemas/Problem' }, schemas)))}</div></div>`,
});

/** All codes, each at the address in a problem's `type`. */
export const codes: Section = {
  id: 'codes',
  title: 'Problem codes',
  body: html`<p>Refusals are <code>application/problem+json</code> (RFC 9457). Programs should use <code>code</code>, which does not change; <code>detail</code> is for people.</p>
    <dl class="problems">${problemCodes.map((code) => {
      const { status, means, remedy } = explained(code);
      return html`<div id="code-${code}"><dt><b>${status}</b> <code>${code}</code></dt><dd><p>${prose(means)}</p><p class="remedy">${prose(remedy)}</p></dd></div>`;
    })}</dl>`,
};

const behaviours = {
  succeed: 'succeeds automatically after a second; the passcode is 123456, and still has to be checked',
  fail: 'fails automatically after a second',
  'time-out': 'times out after two seconds',
  wait: 'stays open until it times out',
  refuse: 'refuses the send with `503 unavailable`',
} satisfies Record<Behaviour, string>;

/** For a service in demo mode. */
export const testNumberSection: Section = {
  id: 'test-numbers',
  title: 'Test numbers',
  body: html`<p>This service is in demo mode: messages go to the <a href="/outbox">outbox</a>, and to real phones only if a gateway is configured. Some numbers end automatically; requests to all other numbers wait until you open their message in the outbox.</p>
    <dl class="numbers">${Object.entries(testNumbers).map(
      ([number, behaviour]) => html`<div><dt><code>${number}</code></dt><dd>${prose(behaviours[behaviour])}</dd></div>`,
    )}</dl>`,
};
