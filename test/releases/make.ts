// Makes the data of a release: npm run release-data -- <name> [<checkout>]. Starts the program of the checkout (by
// default this one), talks to it over HTTP until every chat of chats.ts stands where it should, stops it, and stores
// what it leaves behind, on SQLite and on Postgres (CONTRIBUTING.md, Releasing).
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { message } from '../support/activities.ts';
import { type Channel, openChannel } from '../support/channel.ts';
import { submitsIn } from '../support/channel-talk.ts';
import type { Seen } from '../support/direct-line.ts';
import { freePort } from '../support/free-port.ts';
import { startPostgres } from '../support/postgres.ts';
import { startProgram } from '../support/process.ts';
import { until } from '../support/until.ts';
import { asRead } from '../support/words.ts';
import { filesIn, rowsOf, writeArchive } from './archive.ts';
import { type Act, asks, chats } from './chats.ts';

const [name = '', checkout = '.'] = process.argv.slice(2);
if (name === '') throw new Error('name the release: npm run release-data -- 0.2.0');
const program = resolve(checkout, 'src/main.ts');
const shifted = fileURLToPath(new URL('shifted-date.ts', import.meta.url));

const minutes = 60_000;

const pathOf = (conversation: string) => `/v3/conversations/${conversation}/activities`;

const heard = (channel: Channel, conversation: string) =>
  channel.received.filter(({ path }) => path.startsWith(pathOf(conversation))).map(({ body }) => asRead(body));

/** The ids of a card's inputs, in their order. */
const inputsIn = (node: Seen): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  if (String(node.type).startsWith('Input.')) return [node.id];
  return Object.values(node).flatMap(inputsIn);
};

/** What the newest button of that title submits, with the inputs of its card filled in. */
const pressed = (messages: readonly Seen[], { press, fill = [] }: Extract<Act, { press: RegExp }>) => {
  const button = submitsIn(messages).findLast(({ title }) => press.test(title));
  if (!button) throw new Error(`there is no button ${press}`);
  const inputs = inputsIn(messages.at(-1)?.attachments);
  return { ...button.data, ...Object.fromEntries(fill.map((value, index) => [inputs[index], value])) };
};

const fieldsOf = (act: Act, channel: Channel, conversation: string) => {
  if (typeof act === 'string') return { text: act };
  return { text: undefined, ...('event' in act ? act.event : { value: pressed(heard(channel, conversation), act) }) };
};

/** Takes a chat to its place. */
const talk = async (port: number, channel: Channel, conversation: string): Promise<void> => {
  const { acts, arrives } = chats[conversation] as (typeof chats)[string];
  for (const [index, act] of acts.entries()) {
    const about = { conversation: { id: conversation }, from: { id: `customer-${conversation}` }, id: `${conversation}-${index}` };
    const fields = fieldsOf(act, channel, conversation);
    const body = JSON.stringify(message({ channelId: 'emulator', serviceUrl: channel.serviceUrl, ...about, ...fields }));
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}/api/messages`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`${conversation}: ${response.status} ${await response.text()}`);
  }
  const said = () =>
    heard(channel, conversation)
      .map(({ text }) => text)
      .join('\n');
  await until(() => arrives.test(said()), `${conversation}, which heard: ${said()}`, 40_000).catch((fault) => {
    throw new Error(`${conversation} did not arrive; it heard: ${said()}`, { cause: fault });
  });
};

interface Recording {
  readonly dataDir: string;
  readonly channel: Channel;
  readonly settings: Readonly<Record<string, string>>;
  /** How far (ms) the program's clock is behind. */
  readonly behind?: number;
}

/** Runs the program while something happens, and stops it. */
const running = async (
  { dataDir, channel, settings, behind = 0 }: Recording,
  args: readonly string[],
  work: (port: number) => Promise<void>,
) => {
  const [port, servicePort] = [await freePort(), await freePort()];
  const started = startProgram(program, args, {
    DATA_DIR: dataDir,
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    HANDOFF: 'event',
    FLOWS_DIR: join(dataDir, 'flows'),
    LOG_LEVEL: 'warn',
    DATE_BEHIND: String(behind),
    NODE_OPTIONS: `--import=${shifted}`,
    ...settings,
  });
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok;
  try {
    await until(isReady, 'the start', 60_000);
    await work(port);
  } catch (fault) {
    throw new Error(started.stderr(), { cause: fault });
  } finally {
    await started.stop('SIGTERM');
  }
  if (channel.received.some(({ body }) => /something went wrong/.test(String(body?.text)))) throw new Error(started.stderr());
};

/** Requests whose end nobody knows: sent, and then too old while the service was away; nor does it know them later. */
const recordLate = async (recording: Recording, late: readonly string[]) => {
  await running({ ...recording, behind: 100 * minutes }, [], async (port) => {
    for (const conversation of late) await talk(port, recording.channel, conversation);
  });
  const told = (conversation: string) =>
    heard(recording.channel, conversation).some(({ text }) => /could not confirm|unknown|do not know/i.test(text));
  await running({ ...recording, behind: 2 * minutes }, ['bot'], async () => {
    await until(() => late.every(told), 'the unknown ends', 60_000);
  });
  for (const end of ['', '-wal', '-shm']) rmSync(join(recording.dataDir, `service.db${end}`), { force: true });
};

const record = async (kind: 'postgres' | 'sqlite', url: string | undefined) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'countersign-release-'));
  mkdirSync(join(dataDir, 'flows'));
  writeFileSync(join(dataDir, 'flows', 'asks.yaml'), asks);
  const channel = await openChannel();
  const settings = url === undefined ? {} : { DATABASE_URL: url, CHAT_TOKEN_KEY: 'a-key-of-32-characters-for-tests' };
  const recording: Recording = { dataDir, channel, settings };
  const known = Object.keys(chats).filter((conversation) => existsSync(join(checkout, chats[conversation]?.since ?? '')));
  const [late, others] = [known.filter((one) => chats[one]?.late), known.filter((one) => !chats[one]?.late)];
  // On Postgres deadlines go by the database's clock, which is not shifted.
  if (kind === 'sqlite') await recordLate(recording, late);
  await running(recording, [], async (port) => {
    for (const conversation of others) await talk(port, channel, conversation);
  });
  await channel.close();
  const rows = url === undefined ? undefined : await rowsOf(url);
  const { serviceUrl } = channel;
  const talked = kind === 'sqlite' ? known : others;
  writeArchive(name, kind, { stoppedAt: Date.now(), serviceUrl, chats: talked, files: filesIn(dataDir), ...(rows && { rows }) });
  rmSync(dataDir, { recursive: true });
};

mkdirSync(new URL(name, import.meta.url), { recursive: true });
const postgres = await startPostgres();
try {
  await record('sqlite', undefined);
  await record('postgres', await postgres.createDatabase());
} finally {
  await postgres.stop();
}
