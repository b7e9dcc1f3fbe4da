// A chart of endings over time: drawn by the page's script, with a table for screen readers.
import { type Html, html } from '../../../platform/text/html.ts';
import type { Words } from '../words.ts';
import { type Counts, endings, totalOf } from './outcomes.ts';

/**
 * The chart, with its table collapsed beneath it. Without scripts, only the table is shown, expanded.
 * @param labels - of each bar: a day, an hour
 */
export const outcomeChart = (words: Words, title: string, labels: readonly string[], bars: readonly Counts[]): Html => {
  const { t, number, named } = words;
  const series = endings.map((ending) => ({ ending, label: named(`outbox.${ending}`), data: bars.map((counts) => counts[ending]) }));
  const spoken = endings.map(
    (ending, index) => `${number(series[index]?.data.reduce((sum, value) => sum + value, 0) ?? 0)} ${named(`outbox.${ending}`)}`,
  );
  return html`<figure class="chart">
    <div class="canvas"><canvas role="img" aria-label="${title}: ${spoken.join(', ')}" data-chart="${JSON.stringify({ labels, series })}"></canvas></div>
    <details><summary>${t('console.chart.table')}</summary><div class="sheet scroll" tabindex="0" role="group" aria-label="${title}"><table class="numbers">
      <thead><tr><th scope="col">${t('console.chart.when')}</th>${series.map(({ label }) => html`<th scope="col">${label}</th>`)}</tr></thead>
      <tbody>${bars.map(
        (counts, index) =>
          totalOf(counts) > 0 &&
          html`<tr><th scope="row">${labels[index]}</th>${endings.map((ending) => html`<td>${number(counts[ending])}</td>`)}</tr>`,
      )}</tbody></table></div></details>
  </figure>`;
};
