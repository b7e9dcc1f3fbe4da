// How many requests reach each step from the message to the answer, as bars of decreasing length.
import { type Html, html } from '../../../platform/text/html.ts';
import type { TextKey } from '../../core/texts.ts';
import type { Reports } from '../reports.ts';
import type { Words } from '../words.ts';

/** The steps, each with the event that marks it. */
const steps: readonly (readonly [TextKey, string])[] = [
  ['console.funnel.sent', 'task.sent'],
  ['console.funnel.opened', 'task.bootstrapped'],
  ['console.funnel.started', 'task.started'],
  ['console.funnel.finished', 'task.succeeded'],
];

/** The bars with their numbers; percentages are of the messages sent. */
export const funnel = ({ had }: Awaited<ReturnType<Reports['progress']>>, { t, number, percent }: Words): Html => {
  const sent = had['task.sent'] ?? 0;
  return html`<ol class="funnel">${steps.map(([title, event], index) => {
    const count = had[event] ?? 0;
    const share = sent === 0 ? 0 : Math.min(1, count / sent);
    return html`<li><span class="step">${t(title)}</span><span class="reached"><b>${number(count)}</b> ${index > 0 && html`<span class="quiet">${percent(share)}</span>`}</span>
      <svg class="bar-line" height="14" width="100%" aria-hidden="true"><rect class="ground" width="100%" height="14" rx="7"/>${share > 0 && html`<rect class="value" width="${(share * 100).toFixed(1)}%" height="14" rx="7"/>`}</svg></li>`;
  })}</ol>`;
};
