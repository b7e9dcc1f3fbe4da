// Microsoft's own Teams emulator (@microsoft/m365agentsplayground), without a screen: it speaks to the bot as Teams
// does, and tells what it shows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetch } from 'undici';
import { WebSocket } from 'ws';
import type { Seen } from './direct-line.ts';
import { until } from './until.ts';

/** A message as the emulator shows it now. */
export interface ShownMessage {
  readonly id: string;
  /** `undefined` where it has a card. */
  readonly text: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: cards are looked into by tests that assert their shape
  readonly card: any;
  /** How often it was replaced in place. */
  readonly updates: number;
}

/** One request between the emulator and the bot, of either side, with its answer. */
export interface Exchanged {
  readonly by: 'bot' | 'teams';
  readonly type: string;
  readonly body: Seen;
  readonly status: number;
  readonly answer: Seen;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Who and what there is in the emulator. */
export interface PlaygroundConfig {
  readonly bot: Named;
  readonly currentUser: Named & { readonly aadObjectId: string };
  readonly users: readonly (Named & { readonly aadObjectId: string })[];
  readonly personalChat: Named;
  readonly groupChats: readonly Named[];
  readonly teams: readonly { readonly channels: readonly Named[] }[];
  readonly tenantId: string;
}

/** What the emulator's page offers to send by itself. */
export type CustomActivity = 'install' | 'uninstall' | 'botAdded' | 'userAdded' | 'botRemoved' | 'userRemoved';

export interface Playground {
  /** Its page, for a browser. */
  readonly url: string;
  readonly config: PlaygroundConfig;
  /** Everything that passed between it and the bot, in the order of the answers. */
  readonly exchanged: readonly Exchanged[];
  /** The bot's messages in a conversation, in order, each as it is now. */
  shown(conversation: string): readonly ShownMessage[];
  /** Types something; the bot's turn is over when it resolves. */
  say(conversation: string, text: string, fields?: object): Promise<void>;
  /**
   * A click of the emulator's own client: Action.Submit or Action.Execute, as the button says. Answers what the bot
   * answered to an Execute.
   */
  click(conversation: string, messageId: string, button: Seen, fields?: object, by?: string): Promise<Seen>;
  /** An activity as the emulator would make it, with the given fields on top. */
  template(conversation: string, type: CustomActivity): Promise<Seen>;
  /** Sends any activity to the bot. */
  send(activity: object): Promise<void>;
  close(): Promise<void>;
}

const program = createRequire(import.meta.url).resolve('@microsoft/m365agentsplayground/cli.js');

/** Starts one against a bot on this machine; whoever does closes it. */
export const startPlayground = async (port: number): Promise<Playground> => {
  // It writes its log into the folder it runs in.
  const folder = mkdtempSync(join(tmpdir(), 'countersign-teams-'));
  const endpoint = `http://127.0.0.1:${port}/api/messages`;
  const child = spawn(process.execPath, [program, 'start', '--app-endpoint', endpoint, '--disable-telemetry', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TEAMSAPPTESTER_BROWSER: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const stop = async () => {
    const over = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill();
    await over;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [, own] = await until(() => /Listening on (\d+)/.exec(said), 'the emulator');
    const base = `http://127.0.0.1:${own}`;
    const { config } = (await (await fetch(`${base}/_internal/v1/config`)).json()) as { config: PlaygroundConfig };
    const messages = new Map<string, ShownMessage & { readonly conversation: string }>();
    const exchanged: Exchanged[] = [];
    const sockets = [
      await listen(`${base}/_ws_conversation/v1/conversations/stream`, ({ action, actionConversationId: conversation, message }) => {
        if (action !== 'createMessage' && action !== 'updateMessage') return;
        const { messageId: id, text, attachments } = message;
        const updates = action === 'updateMessage' ? (messages.get(id)?.updates ?? 0) + 1 : 0;
        messages.set(id, { id, conversation, text, card: attachments?.[0]?.content, updates });
      }),
      await listen(`${base}/_ws/log/stream`, ({ log }) => {
        if (!log?.request) return;
        const { from, activityName: type, request, response } = log;
        exchanged.push({
          by: from === 'User Application' ? 'bot' : 'teams',
          type,
          body: request.body,
          status: response?.statusCode,
          answer: response?.body,
        });
      }),
    ];
    const post = async (path: string, body: object): Promise<Seen> => {
      const answer = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`the emulator refused ${path}: ${answer.status} ${text}`);
      return text === '' || text === 'OK' ? undefined : JSON.parse(text);
    };
    const from = { id: config.currentUser.id };
    return {
      url: base,
      config,
      exchanged,
      shown: (conversation) => [...messages.values()].filter((message) => message.conversation === conversation),
      say: async (conversation, text, fields = {}) => {
        const path = `/_conversation/v1/conversations/${encodeURIComponent(conversation)}/messages`;
        const answered = () => exchanged.filter(({ by, body }) => by === 'teams' && body?.type === 'message' && body.text === text).length;
        const before = answered();
        await post(path, { from, text, textFormat: 'plain', ...fields });
        await until(() => answered() > before, `the end of the turn that “${text}” began`);
      },
      click: (conversation, replyToId, { type, verb, data, title }, fields = {}, by = from.id) => {
        const common = { conversation: { id: conversation }, from: { id: by }, replyToId };
        const entered = { ...data, ...fields };
        return type === 'Action.Execute'
          ? post('/_conversation/v1/invoke', {
              ...common,
              name: 'adaptiveCard/action',
              value: { action: { type, title, verb, data: entered }, trigger: 'manual' },
            })
          : post('/_conversation/v1/submit', { ...common, value: entered });
      },
      template: async (conversation, type) => {
        const query = new URLSearchParams({ conversationId: conversation, type });
        return (await fetch(`${base}/_internal/v1/customActivities/template?${query}`)).json();
      },
      send: async (activity) => {
        await post('/_internal/v1/customActivities', activity);
      },
      close: async () => {
        for (const socket of sockets) socket.terminate();
        await stop();
      },
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
};

const listen = async (address: string, hear: (told: Seen) => void): Promise<WebSocket> => {
  const socket = new WebSocket(address.replace(/^http/, 'ws'));
  socket.on('message', (data) => hear(JSON.parse(String(data))));
  await once(socket, 'open');
  return socket;
};
