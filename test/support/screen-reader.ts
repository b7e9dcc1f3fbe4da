// A real screen reader (Orca) over a real browser (Debian's Chromium), without a screen: what it says, in its order.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type BrowserContext, chromium } from 'playwright-core';
import { until } from './until.ts';

const run = promisify(execFile);

const bus = '/usr/libexec/at-spi-bus-launcher';
const speech = '/usr/bin/speech-dispatcher';
const needed = ['orca', 'Xvfb', 'openbox', 'chromium', 'dbus-daemon', 'dbus-send'].map((name) => `/usr/bin/${name}`);

/** A voice without a sound, and a sound card that is none. */
const voice = {
  'speechd.conf': 'AudioOutputMethod "alsa"\nAudioALSADevice "null"\nAddModule "silent" "sd_generic" "silent.conf"\nDefaultModule silent\n',
  'modules/silent.conf': 'GenericExecuteSynth "true"\nAddVoice "en" "MALE1" "silent"\n',
};

/** What a screen reader needs and this machine lacks; empty where one can run. */
export const missing = (): string[] => [...needed, bus, speech].filter((path) => !existsSync(path));

export interface ScreenReader {
  readonly context: BrowserContext;
  /** Everything that was said so far, without what was said of single keys. */
  said(): string[];
  close(): Promise<void>;
}

/** Starts it all in a folder of its own; the caller must close it. */
export const startScreenReader = async (): Promise<ScreenReader> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-reader-'));
  const log = join(folder, 'heard.log');
  const started: ChildProcess[] = [];
  const env: NodeJS.ProcessEnv = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    XDG_RUNTIME_DIR: folder,
    LANG: 'C.UTF-8',
    ACCESSIBILITY_ENABLED: '1',
    GNOME_ACCESSIBILITY: '1',
  };
  /** Starts a program; the result is the first line that it prints, for programs that print one. */
  const start = (command: string, ...args: string[]) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    started.unshift(child);
    return createInterface(child.stdout)[Symbol.asyncIterator]();
  };
  let context: BrowserContext | undefined;
  const close = async () => {
    await context?.close();
    for (const child of started) child.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const display = await start('/usr/bin/Xvfb', '-displayfd', '1', '-screen', '0', '1280x1000x24').next();
    env.DISPLAY = `:${display.value}`;
    const address = await start('/usr/bin/dbus-daemon', '--session', '--nofork', '--print-address').next();
    env.DBUS_SESSION_BUS_ADDRESS = address.value;
    start(bus, '--launch-immediately', '--a11y=1', '--screen-reader=1');
    const enable = (name: string) =>
      run(
        '/usr/bin/dbus-send',
        [
          ...['--session', '--dest=org.a11y.Bus', '--type=method_call', '--print-reply', '/org/a11y/bus'],
          ...['org.freedesktop.DBus.Properties.Set', 'string:org.a11y.Status', `string:${name}`, 'variant:boolean:true'],
        ],
        { env },
      );
    for (const name of ['IsEnabled', 'ScreenReaderEnabled']) await enable(name);
    start('/usr/bin/openbox');
    const settings = join(folder, '.config/speech-dispatcher');
    mkdirSync(join(settings, 'modules'), { recursive: true });
    for (const [name, text] of Object.entries(voice)) writeFileSync(join(settings, name), text);
    start(speech, '--run-single');
    await until(() => existsSync(join(folder, 'speech-dispatcher/speechd.sock')), 'the voice');
    start('/usr/bin/orca', '--replace', `--debug-file=${log}`);
    const read = () => (existsSync(log) ? readFileSync(log, 'utf8') : '');
    await until(() => /SPEECH OUTPUT: 'Screen reader on/.test(read()), 'the screen reader to be on', 15_000);
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: '/usr/bin/chromium',
      headless: false,
      env: env as Record<string, string>,
      viewport: null,
      locale: 'en-US',
      args: ['--no-sandbox', '--force-renderer-accessibility', '--window-size=1200,950', '--no-first-run', '--disable-gpu'],
    });
    return {
      context,
      said: () =>
        [...read().matchAll(/SPEECH OUTPUT: '([\s\S]*?)' ?\[?\{'established'/g)]
          .map(([, words = '']) => words.trim())
          .filter((words) => words.length > 1),
      close,
    };
  } catch (fault) {
    await close();
    throw fault;
  }
};
