// Draws the console's charts in the colours of its style sheet, and tells the time zone of whoever signs in.
const zone = document.querySelector('[data-zone]');
if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone;

const dark = matchMedia('(prefers-color-scheme: dark)');
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const charts = [];

/** Charts in a row have one legend: that of the large one above them. */
const settings = ({ labels, series }, legend) => ({
  type: 'bar',
  data: {
    labels,
    datasets: series.map(({ ending, label, data }) => ({
      label,
      data,
      backgroundColor: style(`--chart-${ending}`),
      borderRadius: 3,
      borderSkipped: false,
      maxBarThickness: 36,
    })),
  },
  options: {
    animation: false,
    responsive: true,
    maintainAspectRatio: false,
    interaction: { mode: 'index', intersect: false },
    locale: document.documentElement.lang,
    color: style('--subtle'),
    font: { family: getComputedStyle(document.body).fontFamily },
    scales: {
      x: {
        stacked: true,
        reverse: document.documentElement.dir === 'rtl',
        grid: { display: false },
        border: { color: style('--line') },
        ticks: { color: style('--subtle'), maxRotation: 0, autoSkipPadding: 14 },
      },
      y: {
        stacked: true,
        beginAtZero: true,
        border: { display: false },
        grid: { color: style('--line') },
        ticks: { color: style('--subtle'), precision: 0, maxTicksLimit: 6 },
      },
    },
    plugins: {
      legend: { display: legend, position: 'bottom', labels: { boxWidth: 10, boxHeight: 10, padding: 14, color: style('--subtle') } },
      tooltip: { filter: ({ raw }) => raw > 0 },
    },
  },
});

const draw = () => {
  for (const chart of charts.splice(0)) chart.destroy();
  for (const canvas of document.querySelectorAll('canvas[data-chart]'))
    charts.push(new globalThis.Chart(canvas, settings(JSON.parse(canvas.dataset.chart), !canvas.closest('.grid'))));
};
if (globalThis.Chart) {
  draw();
  dark.addEventListener('change', draw);
}
