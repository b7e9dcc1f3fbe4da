// Numbers in Prometheus's text format, kept by prom-client in a registry of our own.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { admitOnly, type Metrics, type Vocabulary } from './telemetry.ts';

/** From a millisecond to ten minutes: turns take milliseconds, customers minutes. */
const usualBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600];

/** Milliseconds between two samples of the event loop. */
const precision = 10;

/**
 * Numbers whose labels only take the vocabulary's values, so that nobody outside can multiply them. The process itself
 * (event-loop delay, CPU, memory, garbage collection) is measured from the first read on, because measuring has a cost.
 */
export const makeMetrics = (vocabulary: Partial<Vocabulary>): Metrics => {
  const registry = new Registry();
  const admit = admitOnly(vocabulary);
  let measuring: Promise<void> | undefined;
  return {
    counter: (name, help, labels) => {
      const counter: Counter = new Counter({ name, help, labelNames: [...labels], registers: [registry] });
      return (values) => counter.inc(admit(values));
    },

    histogram: (name, help, labels, buckets = usualBuckets) => {
      const histogram: Histogram = new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] });
      return (values, seconds) => histogram.observe(admit(values), Math.max(seconds, 0));
    },

    gauge: (name, help, labels, read) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: [...labels],
        registers: [registry],
        collect: () => {
          gauge.reset();
          for (const [values, value] of read()) gauge.inc(admit(values), value);
        },
      });
    },

    expose: async () => {
      measuring ??= measureProcess(registry);
      await measuring;
      return { contentType: registry.contentType, body: await registry.metrics() };
    },
  };
};

/**
 * Begins to measure the process. Resolves once there is a first sample of the event loop's delay; its figures are NaN
 * before.
 */
const measureProcess = async (registry: Registry) => {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: precision });
  // Begun after prom-client's own sampling, with the same precision: once this one has a sample, so has that one.
  const delay = monitorEventLoopDelay({ resolution: precision });
  delay.enable();
  for (let round = 0; delay.count === 0 && round < 100; round += 1) await sleep(precision);
  delay.disable();
};
