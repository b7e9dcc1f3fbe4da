// What the page says around the operations: the steps of a request, keys, repeated calls, limits, refusals.
import { type Html, html } from '../../platform/text/html.ts';
import { explained, problemCodes } from '../core/api/problems.ts';
import { type Behaviour, testNumbers } from '../core/test-numbers.ts';
import { exampleOf } from './json-schema.ts';
import type { OpenApi } from './openapi.ts';

/** A section of the page, with its title in the contents. */
export type Section = { readonly id: string; readonly title: string; readonly body: Html };

/** A short text as markup: what stands between backticks is code. */
export const prose = (text: string): Html =>
  html`${text.split(/(`[^`]+`)/).map((part) => (/^`.+`$/.test(part) ? html`<code>${part.slice(1, -1)}</code>` : part))}`;

/** Names and what they are. */
export const rows = (entries: readonly (readonly [name: Html, means: Html])[]): Html =>
  html`<dl class="rows">${entries.map(([name, means]) => html`<div><dt>${name}</dt><dd>${means}</dd></div>`)}</dl>`;

/** Code under a title; anything but text is shown as JSON. It can be scrolled by keyboard, so it is focusable. */
export const codePanel = (title: string, content: unknown): Html =>
  html`<figure class="panel"><figcaption>${title}</figcaption><pre tabindex="0" role="region" aria-label="${title}"><code>${
    typeof content === 'string' ? content : JSON.stringify(content, null, 2)
  }</code></pre></figure>`;

/** A request in four steps. */
export const introduction: Section = {
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

export const authentication = ({ paths, servers }: OpenApi): Section => ({
  id: 'authentication',
  title: 'Authentication',
  body: html`<p>Every call carries the secret key of your account as a Bearer token. A missing, wrong or expired key always gets the same <a href="#code-unauthorized"><code>401 unauthorized</code></a>.</p>
    <p>A key gives access to its own account only: it cannot see requests, results or customers of any other account. Keep it on a server, never in a page or an app.</p>
    <p>An account can have several keys at once, so that a key can be replaced without downtime: add the new key, switch your servers to it, then remove the old one.</p>
    ${codePanel(
      'A call',
      `curl '${servers[0]?.url}/payments/send' \\
  -H "Authorization: Bearer $SERVICE_SECRET_KEY" \\
  -H 'Idempotency-Key: 01KAH5Z0V8Q2J9XW3N4M5P6R7T' \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(paths['/payments/send']?.post?.requestBody?.content['application/json']?.example, null, 2)}'`,
    )}`,
});

/** The rules for all operations. */
export const rules = ({ components: { schemas } }: OpenApi): Section => ({
  id: 'rules',
  title: 'Good to know',
  body: html`<h3 id="repeating">Repeating safely</h3>
      <p>Give every send an <code>Idempotency-Key</code> that you generated and stored before sending. If the answer is lost, repeat the call with the same key: it is carried out once, and you get the same answer. The same key with a different body is refused.</p>
      <h3 id="limits">Limits</h3>
      <p>A body may have up to 64 KB. Calls are limited per account, messages per customer. A call over a limit gets a <code>429</code> with <code>Retry-After</code>; the <code>RateLimit</code> headers say what is left of a quota.</p>
      <h3 id="tracing">Finding a call again</h3>
      <p>Every answer carries an <code>X-Request-Id</code>. You can send your own: 8 to 64 letters, digits and hyphens.</p>
      <h3 id="changes">Changes</h3>
      <p>Existing fields and codes do not change. New fields in answers and new types of events may be added, so ignore what you do not know. Requests with unknown fields are refused.</p>
      ${codePanel('A refusal', exampleOf({ $ref: '#/components/schemas/Problem' }, schemas))}`,
});

/** All codes, each at the address in a problem's `type`. */
export const codes: Section = {
  id: 'codes',
  title: 'Problem codes',
  body: html`<p>Refusals are <code>application/problem+json</code> (RFC 9457). Programs should use <code>code</code>, which does not change; <code>detail</code> is for people.</p>
    <dl class="rows">${problemCodes.map((code) => {
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
    ${rows(Object.entries(testNumbers).map(([number, behaviour]) => [html`<code>${number}</code>`, prose(behaviours[behaviour])]))}`,
};
