// One connected page of the desk: what it is sent, and what it asks for.
import type { RawData, WebSocket } from 'ws';
import { readJson } from '../../platform/http/bounded-json.ts';
import { readFrames } from '../../platform/http/read-frames.ts';
import { faultFields } from '../../platform/log.ts';
import { errorBoundary } from '../../platform/process/faults.ts';
import type { HeldSession } from '../../sign-in/session-store.ts';
import type { Board, BoardChange } from '../board.ts';
import type { DeskContext } from '../context.ts';
import type { DeskRole } from '../desk-store.ts';
import type { Presence } from '../presence.ts';
import type { RunningChats } from '../running.ts';
import { watch } from '../watch.ts';
import type { Visit, Work } from '../work.ts';
import { automaticFrames, type Colleague, type DeskFrame, pageFrame } from './protocol.ts';

/** The session's largest frame, in bytes. */
export const maxIncoming = 64 * 1024;
/** Bytes that may wait for a page that does not read. Beyond that it is disconnected, and catches up later. */
const maxBehind = 4 * 1024 * 1024;

/** Signals that the customer of a handoff is typing; the message is the handoff's id. */
export const typingTopic = 'desk typing';

/** Close codes that the page knows: signed out; and opened elsewhere (RFC 6455, 7.4.2). */
export const closeCodes = {
  ...{ malformed: 4400, signedOut: 4401, replaced: 4409, behind: 4413, tooManyFrames: 4429 },
  ...{ broken: 1011, restart: 1012 },
} as const;

/** What the pages of one list of conversations work with. */
export interface PageSources {
  readonly board: Board;
  readonly presence: Presence;
  readonly running: Pick<RunningChats, 'subscribe'>;
  readonly work: Work;
}

interface Connection {
  readonly socket: WebSocket;
  readonly session: HeldSession<DeskRole>;
  /** Whether the agent is still signed in, and with which role; `visit`: it is the agent who asks, not the page. */
  readonly again: (visit: boolean) => Promise<HeldSession<DeskRole> | undefined>;
  readonly address: string;
  /** Takes one of the session's frames; `false` when it has had too many. */
  readonly takeFrame: () => Promise<boolean>;
}

/** One connected page. */
export class ConnectedPage {
  readonly #parts: Pick<DeskContext, 'bus' | 'clock' | 'log'> & PageSources & Connection;
  readonly #watching = new Map<string, () => void>();
  #session: HeldSession<DeskRole>;
  #away = false;
  #answered = true;
  #leave: (() => void)[] = [];
  #stopLooking: (() => void) | undefined;
  /** Frames are handled one at a time, so that an agent's actions keep their order. */
  #queue: Promise<void> = Promise.resolve();

  constructor({ bus, clock, log }: DeskContext, sources: PageSources, connection: Connection) {
    this.#parts = { bus, clock, log, ...sources, ...connection };
    this.#session = connection.session;
  }

  get #me(): Colleague {
    const { person: name, role, subject: id } = this.#session;
    return { id, name, role, away: this.#away };
  }

  get #visit(): Visit {
    const { email, person: name, role, subject: id } = this.#session;
    return { agent: { id, name, email }, role, session: this.#session.id, call: { clientAddress: this.#parts.address } };
  }

  readonly begin = errorBoundary(
    () => this.#begin(),
    (fault) => this.#break(fault),
  );

  readonly beat = errorBoundary(
    () => this.#beat(),
    (fault) => this.#break(fault),
  );

  #break(fault: unknown): void {
    this.#parts.log.error({ ...faultFields(fault), component: 'desk' }, 'a page of the desk was disconnected');
    this.#parts.socket.close(closeCodes.broken);
  }

  async #begin(): Promise<void> {
    const { board, bus, clock, presence, socket } = this.#parts;
    socket.on('pong', () => {
      this.#answered = true;
    });
    const hear = (data: RawData, binary: boolean) => this.#hear(binary ? { value: undefined } : readJson(data as Buffer, 8));
    readFrames(socket, this.#parts.takeFrame, hear, (fault) => this.#break(fault));
    this.#leave = [
      presence.enter(() => this.#me),
      presence.subscribe(() => this.#send({ type: 'colleagues', colleagues: presence.colleagues() })),
      board.subscribe((change) => this.#changed(change)),
      bus.subscribe(typingTopic, (id = '') => this.#watching.has(id) && this.#send({ type: 'typing', id })),
    ];
    const rows = await board.rows();
    const { email } = this.#session;
    this.#send({
      type: 'welcome',
      me: { ...this.#me, ...(email !== undefined && { email }) },
      now: clock.now(),
      rows,
      colleagues: presence.colleagues(),
    });
  }

  end(): void {
    this.#stopLooking?.();
    for (const leave of this.#leave) leave();
    this.#watching.clear();
  }

  async #beat(): Promise<void> {
    const { clock, socket } = this.#parts;
    if (!this.#answered) return socket.terminate();
    this.#answered = false;
    socket.ping();
    this.#send({ type: 'tick', now: clock.now() });
    await this.#confirm(false);
  }

  /** Whether the agent is still signed in. */
  async #confirm(visit: boolean): Promise<boolean> {
    const session = await this.#parts.again(visit).catch(() => undefined);
    if (!session) {
      this.#parts.socket.close(closeCodes.signedOut);
      return false;
    }
    const changed = session.role !== this.#session.role;
    this.#session = session;
    if (changed) this.#parts.presence.changed();
    return true;
  }

  #send(frame: DeskFrame): void {
    const { socket } = this.#parts;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > maxBehind) socket.close(closeCodes.behind);
    else socket.send(JSON.stringify(frame));
  }

  #changed({ gone, rows, touched }: BoardChange): void {
    if (rows.length + gone.length > 0) this.#send({ type: 'rows', rows, gone });
    for (const id of touched) this.#watching.get(id)?.();
  }

  #hear(reading: ReturnType<typeof readJson>): void {
    const frame = 'value' in reading ? pageFrame.safeParse(reading.value).data : undefined;
    if (!frame) this.#parts.socket.close(closeCodes.malformed);
    else this.#queue = this.#queue.then(() => this.#obey(frame)).catch((fault: unknown) => this.#failed(fault, frame));
  }

  #failed(fault: unknown, frame: { readonly type: string; readonly ref?: string }): void {
    this.#parts.log.warn({ ...faultFields(fault), component: 'desk', operation: frame.type }, 'something at the desk did not succeed');
    if (frame.ref !== undefined) this.#send({ type: 'answer', ref: frame.ref, refused: 'unavailable' });
  }

  async #obey(frame: ReturnType<typeof pageFrame.parse>): Promise<void> {
    if (this.#parts.socket.readyState !== this.#parts.socket.OPEN) return;
    // The session or its role may have been revoked since the last frame.
    if (!(await this.#confirm(!automaticFrames.has(frame.type)))) return;
    const { work } = this.#parts;
    switch (frame.type) {
      case 'watch':
        return this.#watch(frame.id, frame.after);
      case 'typing':
        return work.typing(this.#visit, frame.id);
      case 'running':
        return this.#look(frame.on);
      case 'leave':
        this.#watching.delete(frame.id);
        return;
      case 'away':
        this.#away = frame.away;
        return this.#parts.presence.changed();
      default:
        this.#send({ type: 'answer', ref: frame.ref, ...(await work.answer(this.#visit, frame)) });
    }
  }

  /** Shows the chats that are with the bot, from now on. */
  async #look(on: boolean): Promise<void> {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
    if (!on) return;
    const { running, socket, work } = this.#parts;
    await work.lookAround(this.#visit);
    if (socket.readyState !== socket.OPEN) return;
    this.#stopLooking = running.subscribe((change) => this.#send({ type: 'running', ...change }));
  }

  async #watch(id: string, after: number): Promise<void> {
    const { log, work } = this.#parts;
    if (!(await work.open(this.#visit, id))) return this.#send({ type: 'happened', id, events: [] });
    const look: () => void = watch(
      id,
      after,
      work,
      (frame) => this.#watching.get(id) === look && this.#send(frame),
      (fault) => log.warn({ ...faultFields(fault), component: 'desk' }, 'a conversation could not be read'),
    );
    this.#watching.set(id, look);
    look();
  }
}
