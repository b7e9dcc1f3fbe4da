// The contents of the page, as parts that its script replaces one by one.
import { type Fault, type FlowSource, graphOf, isBroken, type LoadedFlow, stepWritten, wayInto } from '../flows/index.ts';
import { type Html, html } from '../platform/text/html.ts';
import { diagramOf, type Lit } from './diagram.ts';
import type { Funnel } from './trails.ts';

export interface ShownFlow {
  readonly source: FlowSource;
  /** The flow's file, if it has the same contents. */
  readonly written: LoadedFlow | undefined;
  /** Whether this is the version on disk, and not only the one that the chat began with. */
  readonly current: boolean;
  readonly lit: Lit;
  readonly funnel: Funnel;
}

export interface Shown {
  /** Every flow that can be shown. */
  readonly names: readonly string[];
  readonly shown: ShownFlow | undefined;
  readonly faults: readonly Fault[];
  /** The requests that the chat is waiting for. */
  readonly waiting: readonly { readonly id: string; readonly app: string }[];
  /** Whether the designer can end its requests. */
  readonly canEnd: boolean;
  /** How far the clock is ahead of the real time (ms); `undefined` if it cannot be moved. */
  readonly ahead: number | undefined;
  readonly now: number;
}

/** The steps of a flow in the order of the file, with their labels in the diagram. */
const stepsIn = (flow: FlowSource): readonly { readonly place: string; readonly label: string }[] =>
  graphOf(flow).nodes.flatMap(({ id, kind, label }) => (kind === 'start' || kind === 'end' ? [] : [{ place: id, label }]));

const standing = ({ source, current, lit: { now, trail }, written }: ShownFlow): Html => {
  const older = !current && html`<span class="chip warning">an earlier version, which this chat began with</span>`;
  const step = now === undefined ? undefined : stepsIn(source).find(({ place }) => place === now);
  const at = written && now !== undefined ? stepWritten(written, now) : undefined;
  if (step)
    return html`<p class="standing" role="status"><span class="chip now">now</span> <strong>${step.label}</strong> <code>${now}</code> ${at && html`<code>${at.file}:${at.line}</code>`}${older}</p>`;
  if (trail?.ended)
    return html`<p class="standing" role="status"><span class="chip ${trail.ended.ended ?? ''}">ended</span> <strong>${trail.ended.ended ?? ''}</strong> ${older}</p>`;
  const words = wayInto(source);
  return words === undefined
    ? html`<p class="standing" role="status">No words begin this flow, because it needs <code>${Object.keys(source.needs ?? {}).join(', ')}</code>. To try it here, add a phrase that says them to <code>says</code>, or begin a flow that runs it.</p>`
    : html`<p class="standing" role="status">Say <q>${words}</q> in the chat to begin this flow.</p>`;
};

const diagram = (shown: ShownFlow | undefined): Html =>
  shown
    ? html`<div id="diagram" data-part data-now="${shown.lit.now ?? ''}">${standing(shown)}<div class="canvas" tabindex="0" role="region" aria-label="Diagram">${diagramOf(shown.source, shown.lit)}</div></div>`
    : html`<div id="diagram" data-part><p class="standing">There is no flow yet. <code>npm run --silent flows -- new my-flow</code> writes one.</p></div>`;

export const endingNames = ['success', 'failure', 'timeout', 'cancelled'] as const;

const endings = ({ waiting, canEnd }: Shown): Html => {
  const [newest] = waiting.toReversed();
  if (!newest)
    return html`<div id="endings" data-part><p class="quiet">When the flow waits for an app, its four outcomes appear here.</p></div>`;
  return html`<div id="endings" data-part><p id="endings-of">The chat is waiting for <strong>${newest.app}</strong>. End it with</p>
<div class="buttons" role="group" aria-labelledby="endings-of">${endingNames.map(
    (outcome) =>
      html`<button type="button" class="${outcome}" data-end="${outcome}" data-interaction="${newest.id}"${canEnd || outcome === 'cancelled' ? '' : html` disabled`}>${outcome}</button>`,
  )}</div>${!canEnd && html`<p class="quiet">The service runs elsewhere: end it there, on the customer’s device page.</p>`}</div>`;
};

const jumps = [
  ['1 min', 60_000],
  ['10 min', 600_000],
  ['1 h', 3_600_000],
] as const;

const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

const clock = ({ ahead, now }: Shown): Html =>
  ahead === undefined
    ? html`<div id="clock" data-part hidden></div>`
    : html`<div id="clock" data-part><p>Clock <time datetime="${new Date(now).toISOString().slice(0, 16)}Z">${time.format(now)}</time>${ahead > 0 && html` <span class="chip">${lasting(ahead)} ahead</span>`}</p>
<div class="buttons" role="group" aria-label="Advance the clock">${jumps.map(([label, ms]) => html`<button type="button" data-advance="${ms}">+ ${label}</button>`)}</div></div>`;

const problems = ({ faults }: Shown): Html => {
  const broken = isBroken(faults);
  const count = faults.length;
  return html`<section id="problems" data-part class="${broken ? 'broken' : count > 0 ? 'warned' : 'well'}"><h2>Problems <span class="count">${count}</span></h2>
${broken && html`<p class="notice">The bot continues with the last valid flows.</p>`}
${count === 0 ? html`<p class="quiet">None. A file is checked as soon as it is saved.</p>` : html`<ul>${faults.map(problem)}</ul>`}</section>`;
};

const problem = ({ file, line, column, message, hint, warning }: Fault): Html =>
  html`<li class="${warning ? 'warning' : 'error'}"><code>${file}:${line}:${column}</code> <span>${warning && html`<b>warning</b> `}${message}${hint !== undefined && html`<em>; ${hint}</em>`}</span></li>`;

/** A duration in words: `2 min 5 s`. */
const lasting = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count > 0 ? [`${count} ${unit}`] : [])).join(' ') || '0 s';
};

const funnel = (shown: ShownFlow | undefined): Html => {
  const { begun = 0, ended = {}, reached = {}, left = {}, median } = shown?.funnel ?? {};
  if (!shown || begun === 0)
    return html`<section id="funnel" data-part><h2>Funnel</h2><p class="quiet">Nobody has begun this flow since the bot started.</p></section>`;
  const endings = Object.entries(ended);
  const over = endings.reduce((sum, [, count]) => sum + count, 0);
  return html`<section id="funnel" data-part><h2>Funnel</h2>
<p>${begun} begun${endings.map(([outcome, count]) => html`, <span class="chip ${outcome}">${count} ${outcome}</span>`)}${begun > over && html`, ${begun - over} in progress`}${median !== undefined && html`; half of them within ${lasting(median)}`}<span class="quiet">, since the bot started</span></p>
<div class="scroll"><table><thead><tr><th scope="col">Step</th><th scope="col">Reached</th><th scope="col"><span class="hidden">Share</span></th><th scope="col">Left</th></tr></thead>
<tbody>${stepsIn(shown.source).map(({ place, label }) => {
    const count = reached[place] ?? 0;
    return html`<tr><th scope="row">${label} <code>${place}</code></th><td>${count}</td><td><progress max="${Math.max(begun, count)}" value="${count}" aria-label="${count} of ${begun}"></progress></td><td>${left[place] ?? ''}</td></tr>`;
  })}</tbody></table></div></section>`;
};

/** The parts, by name. */
export const viewParts = (shown: Shown) => ({
  names: html`<select id="flow" data-part aria-label="Flow">${shown.names.map(
    (name) => html`<option value="${name}"${name === shown.shown?.source.flow && html` selected`}>${name}</option>`,
  )}</select>`,
  diagram: diagram(shown.shown),
  endings: endings(shown),
  clock: clock(shown),
  problems: problems(shown),
  funnel: funnel(shown.shown),
});

export type Parts = ReturnType<typeof viewParts>;
