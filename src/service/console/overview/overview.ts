// The console's first page: endings over time and by app, and how many requests reach each step.
import { encodeTime } from 'ulid';
import { appIds } from '../../../contract/index.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import { head, nothing, panel } from '../parts.ts';
import type { EndingCount, Reports } from '../reports.ts';
import type { ConsoleSection, Shown, Visit } from '../section.ts';
import type { Words } from '../words.ts';
import { outcomeChart } from './chart.ts';
import { funnel } from './funnel.ts';
import { type CountOutcomes, makeCountOutcomes, sumOf, totalOf } from './outcomes.ts';

/** The periods to choose from, and what a bar stands for. */
const ranges = { day: ['hours', 24], week: ['days', 7], month: ['days', 30] } as const;
type Range = keyof typeof ranges;
const isRange = (value: string): value is Range => Object.hasOwn(ranges, value);

/** The number of newest requests that the funnel covers. */
const looked = 2000;
/** Waiting requests are counted up to this number. */
const maxWaiting = 10_000;

export const overview = (reports: Reports, clock: Clock): ConsoleSection => {
  const countOutcomes = makeCountOutcomes(reports);
  return {
    path: '',
    title: 'console.overview.title',
    icon: 'M4 20V10m5 10V4m5 16v-7m5 7V8',
    role: 'viewer',
    answer: (visit) => shown(visit, reports, countOutcomes, clock.now()),
  };
};

const shown = async ({ call, words, accounts }: Visit, reports: Reports, countOutcomes: CountOutcomes, now: number): Promise<Shown> => {
  const { t, number, percent, named, calendar } = words;
  const asked = call.query.get('range') ?? '';
  const range: Range = isRange(asked) ? asked : 'week';
  const account = accounts.find(call.query.get('account') ?? '')?.account.id;
  const [unit, count] = ranges[range];
  const spans = calendar[unit](now, count);
  const counted = await countOutcomes(spans, now);
  const labels = spans.map(({ from }) => (unit === 'hours' ? words.hourAt(from) : words.dayAt(from)));
  const ours = (one: EndingCount) => account === undefined || one.accountId === account;
  const all = sumOf(counted.flat(), ours);
  const total = totalOf(all);
  const share = (part: number) => (total === 0 ? '–' : percent(part / total));
  const waiting = await reports.waiting(maxWaiting);
  const progress = await reports.progress(encodeTime(spans[0]?.from ?? now), looked, 'one-time-passcode');

  const address = (to: Range) => `/console?${new URLSearchParams({ range: to, ...(account !== undefined && { account }) })}`;
  const tabs = html`<nav class="tabs" aria-label="${t('console.range')}">${(Object.keys(ranges) as Range[]).map(
    (one) => html`<a href="${address(one)}"${one === range && html` aria-current="true"`}>${named(`console.range.${one}`)}</a>`,
  )}</nav>`;
  const tile = (label: string, value: string, kind = '') => html`<div class="tile ${kind}"><dt>${label}</dt><dd>${value}</dd></div>`;
  const tiles = html`<dl class="tiles">
    ${tile(t('console.overview.ended'), number(total))}
    ${tile(t('console.overview.succeeded'), share(all.success), 'good')}
    ${tile(t('console.overview.expired'), share(all.timeout), 'warn')}
    ${tile(t('console.overview.waiting'), waiting >= maxWaiting ? `${number(maxWaiting)}+` : number(waiting))}
  </dl>`;
  const chartOf = (title: string, which: (one: EndingCount) => boolean): Html => {
    const bars = counted.map((counts) => sumOf(counts, which));
    return outcomeChart(words, title, labels, bars);
  };
  const apps = appIds.flatMap((app) => {
    const of = (one: EndingCount) => ours(one) && one.app === app;
    const sum = sumOf(counted.flat(), of);
    const many = totalOf(sum);
    if (many === 0) return [];
    const title = named(`app.${app}`);
    return [panel(title, chartOf(title, of), t('console.overview.app', { count: many, share: percent(sum.success / many) }))];
  });
  const quiet = total === 0 && progress.requests === 0;
  return {
    title: t('console.overview.title'),
    scripts: ['chart.js'],
    body: html`${head(t('console.overview.title'), false, tabs)}${accountTabs(account, range, accounts.all, words)}${tiles}
      ${
        quiet
          ? nothing(t('console.overview.nothing'))
          : html`<div class="pair">${panel(t('console.overview.outcomes'), chartOf(t('console.overview.outcomes'), ours))}
            ${panel(t('console.funnel.title'), funnel(progress, words), t('console.funnel.lead', { count: progress.requests }))}</div>
            <div class="grid">${apps}</div>`
      }`,
  };
};

const accountTabs = (current: string | undefined, range: Range, all: Visit['accounts']['all'], { t }: Words): Html | false =>
  all.length > 1 &&
  html`<nav class="tabs wide" aria-label="${t('console.account')}">
    <a href="/console?range=${range}"${current === undefined && html` aria-current="true"`}>${t('console.account.all')}</a>
    ${all.map(({ account }) => html`<a href="/console?${String(new URLSearchParams({ range, account: account.id }))}"${account.id === current && html` aria-current="true"`}>${account.name}</a>`)}
  </nav>`;
