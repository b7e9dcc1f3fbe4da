// Agents and customers who talk, all at once: how long a message is on its way, and what it costs. Against a websocket
// that keeps a message and says it back.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Bench, Line } from '../line.ts';
import { percentile } from '../numbers.ts';
import { patiently } from '../patiently.ts';
import { type DeskWorld, openDeskWorld } from '../peers/desk.ts';
import { openBenchService } from '../peers/service.ts';
import { openSide, type Side } from '../side.ts';

const agents = 50;
const conversations = 500;
/** Of both sides together: each conversation says something every ten seconds. */
const perSecond = 50;
const messages = 1200;
/** The first ones warm up. */
const uncounted = 200;

/** Messages that are on their way, and how long (ms) each of the others took. */
const stopwatch = () => {
  const begun = new Map<string, number>();
  const took: { readonly text: string; readonly ms: number }[] = [];
  return {
    took,
    begin: (text: string) => begun.set(text, performance.now()),
    end: (text: string) => {
      const at = begun.get(text);
      if (at !== undefined && begun.delete(text)) took.push({ text, ms: performance.now() - at });
    },
  };
};

/** Says everything evenly, whether or not what was said before has arrived; answers the CPU time (µs) of each. */
const talk = async (side: Side, watch: ReturnType<typeof stopwatch>, say: (text: string, index: number) => Promise<unknown>) => {
  const faults: unknown[] = [];
  let before = 0;
  const start = performance.now();
  for (let index = 0; index < messages; index += 1) {
    if (index === uncounted) before = await side.cpu();
    const wait = start + (index * 1000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    const text = `${index % 2 === 0 ? 'c' : 'a'} says ${index}`;
    watch.begin(text);
    say(text, index).catch((fault: unknown) => faults.push(fault));
  }
  await patiently(20, () => watch.took.length === messages || faults.length > 0, `${messages} messages`, 60_000);
  if (faults.length > 0) throw faults[0];
  const cpu = ((await side.cpu()) - before) / (messages - uncounted);
  const counted = watch.took.filter(({ text }) => Number(text.split(' ').at(-1)) >= uncounted);
  const of = (who: string) => counted.filter(({ text }) => text.startsWith(who)).map(({ ms }) => ms);
  return { cpu, customers: percentile(of('c'), 0.95), agents: percentile(of('a'), 0.95) };
};

const floorOf = async (dataDir: string) => {
  const side = await openSide('floors/durable-echo.ts', { dataDir });
  const watch = stopwatch();
  const sockets = await Promise.all(
    Array.from({ length: agents }, async () => {
      const socket = new WebSocket(`ws://127.0.0.1:${side.told.port}`, { perMessageDeflate: false });
      socket.on('message', (data) => watch.end(String(data)));
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return socket;
    }),
  );
  try {
    return await talk(side, watch, async (text, index) => sockets[index % agents]?.send(text));
  } finally {
    for (const socket of sockets) socket.terminate();
    await side.close();
  }
};

const oursOf = async (dataDir: string, say: (progress: string) => void) => {
  const service = await openBenchService();
  const side = await openSide('ours/bot.ts', { service: service.access, settings: { DATA_DIR: dataDir, HANDOFF: 'desk' } });
  const watch = stopwatch();
  let world: DeskWorld | undefined;
  try {
    const { deskUrl, port } = side.told as { deskUrl: string; port: number };
    const base = `http://localhost:${port}`;
    const opened = await openDeskWorld({
      base,
      deskUrl: new URL(new URL(deskUrl).pathname, base).href,
      agents,
      conversations,
      arrived: watch.end,
    });
    world = opened;
    say(`${conversations} conversations have their agents`);
    return await talk(side, watch, async (text, index) => {
      const pair = opened.pairs[index % conversations];
      return index % 2 === 0 ? pair?.customer.say(text) : pair?.answer(text);
    });
  } finally {
    await world?.close();
    await side.close();
    await service.close();
  }
};

export const desk: Bench = async ({ say }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  try {
    const floor = await floorOf(dataDir);
    const ours = await oursOf(dataDir, say);
    const room = `${agents} agents, ${conversations} conversations, ${perSecond} a second`;
    const ms = (what: string, side: 'agents' | 'customers'): Line => ({
      what: `${what}, ${room}, 95 of 100, against a socket that keeps and echoes`,
      ...{ unit: 'ms', floor: floor[side], ours: ours[side], reach: { most: 100 } },
    });
    return [
      ms('a customer’s message until the agent has it', 'customers'),
      ms('an agent’s message until the customer has it', 'agents'),
      { what: 'the same, both ways', unit: 'µs CPU', floor: floor.cpu, ours: ours.cpu },
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};
