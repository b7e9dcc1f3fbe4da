// A turn over our own Direct Line, from the HTTP request until the reply is stored and the request answered. Against a
// route that keeps what it is sent with one durable insert.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { alternateCosts } from '../alternate.ts';
import type { Bench } from '../line.ts';
import { inParallel } from '../load.ts';
import { median } from '../numbers.ts';
import type { Asked } from '../ours/bot.ts';
import { openBenchService } from '../peers/service.ts';
import { makeWebChats } from '../peers/web-chat.ts';
import { costPerUnit, openSide, type Side, withSides } from '../side.ts';

const conversations = 150;
const together = 8;
const words = ['payments', '+12025550147', '1', 'cancel'];
const turns = conversations * words.length;

const route = async (side: Side) => {
  const { origin, pathname } = new URL(side.told.url as string);
  const agent = new Agent({ connections: together });
  const headers = { 'content-type': 'application/json' };
  const cost = await costPerUnit(side, turns, () =>
    inParallel(turns, together, async (index) => {
      const body = JSON.stringify({ type: 'message', text: words[index % words.length] });
      const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
      await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`the route answered with ${answer.statusCode}`);
    }),
  );
  await agent.close();
  return cost;
};

export const directLine: Bench = async ({ rounds }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const service = await openBenchService();
  const asked: { commits: number[]; statements: number[] } = { commits: [], statements: [] };
  const talk = async (side: Side) => {
    const users = makeWebChats(side);
    const chats = await Promise.all(Array.from({ length: conversations }, () => users.begin()));
    const cost = await costPerUnit(side, turns, () =>
      inParallel(conversations, together, async (index) => {
        for (const text of words) await chats[index]?.say(text);
      }),
    );
    await users.close();
    return cost;
  };
  /** One conversation at a time: beside others, several share a commit. */
  const alone = async (side: Side) => {
    const users = makeWebChats(side);
    const chat = await users.begin();
    const count = async () => (await side.ask('asked')) as Asked;
    // What the beginning of a conversation asks for belongs to no turn.
    for (const text of words.slice(0, 1)) await chat.say(text);
    for (const text of words.slice(1)) {
      const before = await count();
      await chat.say(text);
      const after = await count();
      asked.commits.push(after.commits - before.commits);
      asked.statements.push(after.statements - before.statements);
    }
    await users.close();
  };
  try {
    const bot = openSide('ours/bot.ts', { service: service.access, settings: { DATA_DIR: dataDir } });
    return await withSides([openSide('floors/durable-route.ts', { dataDir }), bot], async (floor, ours) => {
      const { cpu, elapsed } = await alternateCosts(rounds, { floor: () => route(floor as Side), ours: () => talk(ours as Side) });
      await alone(ours as Side);
      const what = 'a Direct Line turn, against a route with one durable insert';
      return [
        { what, unit: 'µs CPU', ...cpu, reach: { ratio: 3 } },
        { what: 'the same', unit: 'µs', ...elapsed },
        { what: 'commits of a turn', unit: 'commits', ours: median(asked.commits), reach: { most: 2 } },
        { what: 'statements of a turn', unit: 'statements', ours: median(asked.statements), reach: { most: 12 } },
      ];
    });
  } finally {
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
};
