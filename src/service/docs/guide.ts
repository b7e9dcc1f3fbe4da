// The introduction before the operations: the course of a request, keys, repeated calls, limits, refusals.
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

/** The course of a request, in four steps. */
export const overview: Section = {
  id: 'overview',
  title: 'How it works',
  body: html`<p>Every app works alike. Your server asks, the customer acts on their own device, and your server reads how it ended.</p>
    <ol class="steps">
      <li><b>Bootstrap</b><span>Give a phone number; get the customers who have it, and what can be sent to them.</span></li>
      <li><b>Send</b><span>The customer gets a message with a link or a code. You get a <code>requestId</code> and a <code>wsToken</code>.</span></li>
      <li><b>Listen</b><span>Open the websocket with the token and hear what happens. Every event is a hint that may be lost.</span></li>
      <li><b>Read the result</b><span><code>GET /results/{id}</code> tells how it ended: <code>success</code>, <code>failure</code> or <code>timeout</code>.</span></li>
    </ol>`,
};

export const authentication = ({ servers }: OpenApi): Section => ({
  id: 'authentication',
  title: 'Authentication',
  body: html`<div class="operation"><div class="told">
      <p>Every call carries the secret key of your account as a Bearer token. A key that is missing, wrong or expired is answered with the same <a href="#code-unauthorized"><code>401 unauthorized</code></a>.</p>
      <p>A key opens its own account and no other: requests, results and customers of another account do not exist for it. It belongs on a server, never into a page or an app.</p>
      <p>An account can have several keys at once, so that one can be replaced without a pause: add the new key, move your servers over, take the old one out.</p>
    </div><div class="shown">${panel('Call', curl({ method: 'GET', url: new URL('/results/01KAH5Z0V8Q2J9XW3N4M5P6R7S', servers[0]?.url).href }))}</div></div>`,
});

/** The rules for all operations. */
export const rules = ({ components: { schemas } }: OpenApi): Section => ({
  id: 'rules',
  title: 'Good to know',
  body: html`<div class="operation"><div class="told">
      <h3 id="repeating">Repeating safely</h3>
      <p>Give every send an <code>Idempotency-Key</code> that you made and kept before sending. If the answer is lost, send the same again with the same key: it is carried out once, and answered alike. The same key with another body is refused.</p>
      <h3 id="limits">Limits</h3>
      <p>Bodies have 64 KB at most. Calls are counted per account, messages per customer. Whoever is over a limit gets a <code>429</code> with <code>Retry-After</code> and what remains in the <code>RateLimit</code> headers.</p>
      <h3 id="tracing">Finding a call again</h3>
      <p>Every answer carries an <code>X-Request-Id</code>. Send one of your own, 8 to 64 letters, digits and hyphens, and it is kept.</p>
      <h3 id="changes">Changes</h3>
      <p>Fields and codes stay as they are. Answers may get more fields and events more types with time, so pass over what you do not know. Fields that you send must be known.</p>
    </div><div class="shown">${panel('A refusal', jsonCode(exampleOf({ $ref: '#/components/schemas/Problem' }, schemas)))}</div></div>`,
});

/** All codes, each at the address in a problem's `type`. */
export const codes: Section = {
  id: 'codes',
  title: 'Problem codes',
  body: html`<p>Refusals are <code>application/problem+json</code> (RFC 9457). Programs go by <code>code</code>, which does not change; <code>detail</code> is for people.</p>
    <dl class="problems">${problemCodes.map((code) => {
      const { status, means, remedy } = explained(code);
      return html`<div id="code-${code}"><dt><b>${status}</b> <code>${code}</code></dt><dd><p>${prose(means)}</p><p class="remedy">${prose(remedy)}</p></dd></div>`;
    })}</dl>`,
};

const behaviours = {
  succeed: 'succeeds by itself after a second; a passcode is 123456 and waits to be checked',
  fail: 'fails by itself after a second',
  'time-out': 'runs out of time after two seconds',
  wait: 'never finishes before its time is up',
  refuse: 'refuses the send with `503 unavailable`',
} satisfies Record<Behaviour, string>;

/** For a service in demo mode. */
export const testNumberSection: Section = {
  id: 'test-numbers',
  title: 'Test numbers',
  body: html`<p>This service is in demo mode: messages go to the <a href="/outbox">outbox</a>, and to a phone only where a gateway is configured. Some numbers act by themselves; requests for every other number wait until you open their message there.</p>
    <dl class="numbers">${Object.entries(testNumbers).map(
      ([number, behaviour]) => html`<div><dt><code>${number}</code></dt><dd>${prose(behaviours[behaviour])}</dd></div>`,
    )}</dl>`,
};
