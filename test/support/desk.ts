// Somebody at the desk, as a program: signed in by the link, over the same websocket as the page.
import assert from 'node:assert/strict';
import { monotonicFactory } from 'ulid';
import { WebSocket } from 'ws';
import type { Panel } from '../../src/desk/customers.ts';
import type { RunningRow } from '../../src/desk/running.ts';
import type { DeskFrame } from '../../src/desk/sockets/protocol.ts';
import type { ChatEvent, Row } from '../../src/desk/view.ts';
import { until } from './until.ts';

export interface Reply {
  readonly value?: unknown;
  readonly refused?: string;
}

export interface DeskAgent {
  readonly cookie: string;
  /** Who they are to the desk. */
  me(): { readonly id: string; readonly name: string; readonly email?: string };
  /** Everything that the server has sent, oldest first. */
  readonly frames: DeskFrame[];
  /** The list, as the frames have made it. */
  rows(): Row[];
  /** The chats that the bot has to itself, as the frames have made them. */
  running(): RunningRow[];
  /** What happened in a conversation, as far as it was sent; each once. */
  events(id: string): ChatEvent[];
  panel(id: string): Panel | undefined;
  send(frame: object): void;
  ask(frame: object): Promise<Reply>;
  act(id: string, act: object): Promise<Reply>;
  watch(id: string): void;
  /** The code that the socket was closed with. */
  closed(): number | undefined;
  /** Cuts the connection; {@link DeskAgent.connect} makes it anew. */
  disconnect(): Promise<void>;
  connect(): Promise<void>;
}

export const newUlid = monotonicFactory();

export interface Colleague {
  readonly id: string;
  readonly name: string;
  readonly role?: 'agent' | 'supervisor';
}

/** Uses a link up; answers the cookie. */
export const signInAtDesk = async (link: string, { id, name, role = 'agent' }: Colleague): Promise<string> => {
  const body = new URLSearchParams({ name, email: id, role });
  const answer = await fetch(link, { method: 'POST', body, redirect: 'manual' });
  assert.equal(answer.status, 303, await answer.text());
  return String(answer.headers.get('set-cookie')).split(';', 1)[0] ?? '';
};

/**
 * @param base - where the bot is found now
 * @param onFrame - hears each frame once it is kept
 */
export const openDeskAgent = async (
  base: () => string,
  cookie: string,
  onFrame: (frame: DeskFrame) => void = () => {},
): Promise<DeskAgent> => {
  let socket: WebSocket | undefined;
  let code: number | undefined;
  const frames: DeskFrame[] = [];
  const waiting = new Map<string, { resolve(reply: Reply): void; reject(fault: Error): void }>();
  const rows = new Map<string, Row>();
  const events = new Map<string, Map<number, ChatEvent>>();
  const watched = new Set<string>();
  const running = new Map<string, RunningRow>();

  const hear = (frame: DeskFrame) => {
    frames.push(frame);
    if (frame.type === 'welcome') rows.clear();
    if (frame.type === 'welcome' || frame.type === 'rows') for (const row of frame.rows) rows.set(row.id, row);
    if (frame.type === 'rows') for (const id of frame.gone) rows.delete(id);
    if (frame.type === 'running') {
      if (frame.all) running.clear();
      for (const row of frame.rows) running.set(row.id, row);
      for (const id of frame.gone) running.delete(id);
    }
    if (frame.type === 'happened') {
      const known = events.get(frame.id) ?? new Map<number, ChatEvent>();
      for (const event of frame.events) {
        assert.ok(!known.has(event.number), `event ${event.number} came twice`);
        known.set(event.number, event);
      }
      events.set(frame.id, known);
    }
    if (frame.type === 'answer') waiting.get(frame.ref)?.resolve(frame);
    onFrame(frame);
  };
  const send = (frame: object) => socket?.send(JSON.stringify(frame));
  const watch = (id: string) => {
    watched.add(id);
    send({ type: 'watch', id, after: Math.max(0, ...(events.get(id)?.keys() ?? [])) });
  };
  const connect = async () => {
    code = undefined;
    const url = base();
    const opened = new WebSocket(`${url.replace(/^http/, 'ws')}/desk/socket`, { headers: { cookie, origin: url } });
    socket = opened;
    const before = frames.length;
    opened.on('message', (data) => hear(JSON.parse(String(data))));
    opened.on('close', (closed) => {
      if (socket !== opened) return;
      code = closed;
      for (const { reject } of waiting.values()) reject(new Error('the connection was cut'));
    });
    await new Promise((resolve, reject) => opened.once('open', resolve).once('error', reject));
    await until(() => frames.slice(before).some(({ type }) => type === 'welcome'), 'the list');
    for (const id of watched) watch(id);
  };
  await connect();

  const ask = (frame: object): Promise<Reply> =>
    new Promise<Reply>((resolve, reject) => {
      if (socket?.readyState !== WebSocket.OPEN) return reject(new Error('there is no connection'));
      const ref = newUlid();
      waiting.set(ref, { resolve, reject });
      send({ ...frame, ref });
    });
  return {
    cookie,
    frames,
    me: () => {
      const frame = frames.findLast(({ type }) => type === 'welcome');
      if (frame?.type !== 'welcome') throw new Error('nobody is signed in');
      return frame.me;
    },
    rows: () => [...rows.values()],
    running: () => [...running.values()],
    events: (id) => [...(events.get(id)?.values() ?? [])],
    panel: (id) => frames.findLast((frame) => frame.type === 'panel' && frame.id === id) && lastPanel(frames, id),
    send,
    ask,
    act: (id, act) => ask({ type: 'act', id, act }),
    watch,
    closed: () => code,
    disconnect: async () => {
      const cut = socket;
      if (!cut || cut.readyState === cut.CLOSED) return;
      const gone = new Promise((resolve) => cut.once('close', resolve));
      cut.terminate();
      await gone;
    },
    connect,
  };
};

const lastPanel = (frames: readonly DeskFrame[], id: string): Panel | undefined => {
  const found = frames.findLast((frame) => frame.type === 'panel' && frame.id === id);
  return found?.type === 'panel' ? found.panel : undefined;
};
