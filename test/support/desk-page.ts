// The desk's page as it is, with a server in between that sends it what a test says and keeps what it asks for.
import type { BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core';
import type { Panel } from '../../src/desk/customers.ts';
import type { DeskFrame } from '../../src/desk/sockets/protocol.ts';
import type { ChatEvent, Row } from '../../src/desk/view.ts';
import type { TestBrowser } from './browser.ts';
import { newUlid, signInAtDesk } from './desk.ts';
import { until } from './until.ts';
import { startWhole } from './whole.ts';

type Asked = { readonly type: string; readonly ref?: string; readonly id?: string; readonly act?: { readonly kind: string } };

export const me = { id: 'me', name: 'Mara Lind', role: 'agent' as const, away: false };
export const noa = { id: 'noa', name: 'Noa Berg', role: 'agent' as const, away: false };

/** A conversation that waits. */
export const aRow = (more: Partial<Row> = {}): Row => ({
  ...{ id: newUlid(), state: 'requested', reason: 'asked', language: 'en', createdAt: Date.now() - 60_000, badge: { state: 'none' } },
  ...more,
});
/** One that somebody has. */
export const theirs = (agent: { readonly id: string; readonly name: string }, more: Partial<Row> = {}) =>
  aRow({ state: 'accepted', acceptedAt: Date.now() - 30_000, agent: { id: agent.id, name: agent.name }, ...more });

export interface DeskPage {
  readonly page: Page;
  readonly complaints: string[];
  send(frame: DeskFrame): void;
  rows(...rows: Row[]): void;
  happened(id: string, events: object[]): void;
  panel(id: string, panel: Panel): void;
  readonly asked: Asked[];
  /** Whether the server is away. */
  isAway: boolean;
  /** How requests are answered, by type or by kind of act. */
  readonly answers: Record<string, object>;
  close(): Promise<void>;
}

export const startDeskPages = async (browser: TestBrowser) => {
  const whole = await startWhole({ settings: { HANDOFF: 'desk' } });
  const link = new URL(whole.bot().links.desk ?? '');
  const [name = '', value = ''] = (await signInAtDesk(link.href, { id: 'me@example.com', name: me.name })).split('=');
  return {
    open: async (rows: readonly Row[], options: BrowserContextOptions = {}): Promise<DeskPage> => {
      const { page, context, complaints } = await browser.page({ locale: 'en-US', viewport: { width: 1440, height: 900 }, ...options });
      const asked: Asked[] = [];
      const answers: Record<string, object> = { flows: { value: [] }, options: { refused: 'number_needed' } };
      let socket: WebSocketRoute | undefined;
      const send = (frame: DeskFrame) => socket?.send(JSON.stringify(frame));
      const listed = new Map(rows.map((row) => [row.id, row]));
      const numbers = new Map<string, number>();
      const happened = (id: string, events: object[]) => {
        const before = numbers.get(id) ?? 0;
        numbers.set(id, before + events.length);
        send({
          type: 'happened',
          id,
          events: events.map((event, index) => ({ at: Date.now(), ...event, number: before + index + 1 }) as ChatEvent),
        });
      };
      await page.routeWebSocket(/\/desk\/socket$/, (opened) => {
        if (desk.isAway) return void opened.close();
        socket = opened;
        opened.onMessage((data) => {
          const frame: Asked = JSON.parse(String(data));
          asked.push(frame);
          if (frame.ref !== undefined)
            send({ type: 'answer', ref: frame.ref, ...(answers[frame.act?.kind ?? frame.type] ?? { value: {} }) });
        });
        send({ type: 'welcome', me, now: Date.now(), rows: [...listed.values()], colleagues: [me, noa] });
      });
      const desk: DeskPage = {
        ...{ page, complaints, isAway: false, send, asked, answers, happened },
        rows: (...changed) => {
          for (const row of changed) listed.set(row.id, row);
          send({ type: 'rows', rows: changed, gone: [] });
        },
        panel: (id, panel) => send({ type: 'panel', id, panel }),
        close: () => context.close(),
      };
      await context.addCookies([{ name, value, domain: 'localhost', path: '/desk' }]);
      await page.goto(new URL('/desk', link).href);
      await until(async () => (await page.locator('.queue .row').count()) >= rows.length, 'the list');
      return desk;
    },
    close: () => whole.close(),
  };
};
