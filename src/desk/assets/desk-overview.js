// For supervisors: today's figures, who looked at what, and who is signed in. Every chart also has a table.

import { explain } from 'desk-acts';
import { html, Time } from 'desk-parts';
import { ask } from 'desk-socket';
import { show, state } from 'desk-state';
import { hourOf, lengthOf, named, number, percent, t, timeOf } from 'desk-words';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The server's answer, requested again every `every` milliseconds. */
const useAnswer = (frame, every) => {
  const [answer, set] = useState(/** @type {any} */ ({}));
  const [turn, again] = useState(0);
  useEffect(() => {
    let here = true;
    const look = async () => {
      const next = await ask(frame);
      if (here && !next.lost) set(next);
    };
    void look();
    const timer = every && setInterval(look, every);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, [turn]);
  return [answer.value, answer.refused && explain(answer), () => again(turn + 1)];
};

const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Bars: how many chats asked for a person, and how many were taken. */
const Bars = ({ hours }) => {
  const place = useRef(undefined);
  useEffect(() => {
    let chart;
    let here = true;
    // Loaded on demand: agents never see a chart.
    void import('chart').then(() => {
      if (here) chart = draw(place.current, hours);
    });
    return () => {
      here = false;
      chart?.destroy();
    };
  }, [hours]);
  return html`<div class="chart" aria-hidden="true"><canvas ref=${place}></canvas></div>`;
};

const draw = (canvas, hours) => {
  const [asked, taken, color, line] = ['--edge', '--accent', '--subtle', '--line'].map(colourOf);
  const bars = (name, backgroundColor) => ({
    label: t(name),
    data: hours.map((one) => one[name]),
    backgroundColor,
    maxBarThickness: 24,
  });
  return new globalThis.Chart(canvas, {
    type: 'bar',
    data: { labels: hours.map(({ at }) => hourOf(at)), datasets: [bars('asked', asked), bars('taken', taken)] },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: 'index', intersect: false },
      locale: document.documentElement.lang,
      font: { family: getComputedStyle(document.body).fontFamily },
      scales: {
        x: {
          reverse: document.documentElement.dir === 'rtl',
          grid: { display: false },
          ticks: { color, maxRotation: 0, autoSkipPadding: 14 },
        },
        y: { suggestedMax: 4, border: { display: false }, grid: { color: line }, ticks: { color, precision: 0, maxTicksLimit: 6 } },
      },
      plugins: { legend: { display: false } },
    },
  });
};

const Table = ({ caption, head, rows }) => html`<table><caption>${caption}</caption>
  <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
  <tbody>${rows.map((cells) => html`<tr>${cells.map((cell, index) => (index === 0 ? html`<th scope="row">${cell}</th>` : html`<td>${cell}</td>`))}</tr>`)}</tbody></table>${rows.length === 0 && html`<p class="none">${t('noTimeline')}</p>`}`;

const Tile = ({ title, value, text }) =>
  html`<div class="tile"><h3>${title}</h3><p class="value">${value}</p>${text && html`<p>${text}</p>`}</div>`;

const Numbers = () => {
  const [seen, refused] = useAnswer({ type: 'overview' }, 5_000);
  if (!seen) return html`<p role="status">${refused ?? t('connecting')}</p>`;
  const { abandoned, conversations, firstResponse, hours, outcomes, verified, wrapUps } = seen;
  return html`
    <div class="tiles">
      <${Tile} title=${t('waitingNow')} value=${number(seen.waiting)} text=${seen.waiting > 0 && `${t('longest')}: ${lengthOf(seen.longest)}`} />
      <${Tile} title=${t('takenNow')} value=${number(seen.taken)} text=${seen.absent > 0 && t('absentText', { count: number(seen.absent) })} />
      <${Tile} title=${t('firstResponse')} value=${firstResponse.count > 0 ? lengthOf(firstResponse.median) : '–'} text=${firstResponse.count > 0 && t('firstResponseText', { time: lengthOf(firstResponse.slow) })} />
      <${Tile} title=${t('abandoned')} value=${conversations > 0 ? percent(abandoned / conversations) : '–'} text=${t('verifiedText', { count: number(abandoned), all: number(conversations) })} />
      <${Tile} title=${t('verifiedShare')} value=${conversations > 0 ? percent(verified / conversations) : '–'} text=${t('verifiedText', { count: number(verified), all: number(conversations) })} />
    </div>
    <section class="card"><h3>${t('perHour')}</h3><p class="legend"><span class="asked">${t('asked')}</span><span class="taken">${t('taken')}</span></p><${Bars} hours=${hours} />
      <details><summary>${t('table')}</summary><${Table} caption=${t('perHour')} head=${[t('hour'), t('asked'), t('taken')]} rows=${hours.filter((one) => one.asked > 0).map((one) => [timeOf(one.at), number(one.asked), number(one.taken)])} /></details></section>
    <div class="pair">
      <section class="card"><${Table} caption=${t('outcomes')} head=${[t('appName'), t('outcome'), t('count')]} rows=${outcomes.map(({ app, status, count }) => [named('app', app), named('status', status), number(count)])} /></section>
      <section class="card"><${Table} caption=${t('wrapUps')} head=${[t('outcome'), t('count')]} rows=${wrapUps.map(({ code, count }) => [named('wrapUp', code), number(count)])} /></section>
    </div>`;
};

const Accesses = () => {
  const [seen, refused] = useAnswer({ type: 'accesses' }, 10_000);
  if (!seen) return html`<p role="status">${refused ?? t('connecting')}</p>`;
  const rows = seen.map(({ action, address, at, person, role, subject }) => [
    html`<${Time} at=${at} />`,
    named('did', action),
    html`<code>${subject}</code>`,
    html`${person} <small>${named('role', role)}</small>`,
    html`<code>${address}</code>`,
  ]);
  return html`<section class="card scrolls"><${Table} caption=${t('accessLog')} head=${['when', 'what', 'whom', 'who', 'address'].map((name) => t(name))} rows=${rows} /></section>`;
};

const Sessions = () => {
  const [seen, refused, again] = useAnswer({ type: 'sessions' });
  const [link, setLink] = useState('');
  if (!seen) return html`<p role="status">${refused ?? t('connecting')}</p>`;
  const end = async (session) => {
    await ask({ type: 'end-session', session });
    again();
  };
  const invite = async () => {
    const { value } = await ask({ type: 'invite' });
    if (value) setLink(new URL(value, location.origin).href);
  };
  const rows = seen.map(({ address, begunAt, id, own, person, role, subject }) => [
    html`${person} <small>${subject} · ${named('role', role)}</small>`,
    html`<${Time} at=${begunAt} />`,
    html`<code>${address}</code>`,
    own
      ? t('ownSession')
      : html`<button type="button" aria-label=${t('endSessionOf', { person })} onClick=${() => end(id)}>${t('endSession')}</button>`,
  ]);
  return html`<section class="card scrolls"><${Table} caption=${t('sessions')} head=${['who', 'when', 'address', 'endSession'].map((name) => t(name))} rows=${rows} />
    <p class="invite"><button type="button" onClick=${invite}>${t('invite')}</button></p>${link && html`<p class="invite" role="status"><code>${link}</code><br />${t('inviteText')}</p>`}</section>`;
};

const pages = { overview: Numbers, accesses: Accesses, sessions: Sessions };
const titles = { overview: 'overview', accesses: 'accessLog', sessions: 'sessions' };

export const Overview = () => html`<main class="overview" id="talk" tabindex="-1">
  <nav class="tabs" aria-label=${t('overview')}>${Object.keys(pages).map((name) => html`<button type="button" aria-current=${state.view === name ? 'page' : undefined} onClick=${() => show(name)}>${t(titles[name])}</button>`)}</nav>
  <h2 class="hidden">${t(titles[state.view])}</h2>
  <${pages[state.view]} key=${state.view} />
</main>`;
