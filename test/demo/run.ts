// The process behind `npm run demo`: a customer and an agent side by side, until Ctrl-C.
import { spawn } from 'node:child_process';
import { startDemo } from './demo.ts';

/** The platform's way to open an address; `undefined` where there is no screen, or none that we know of. */
const opener = (): readonly [string, ...string[]] | undefined => {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
};

const demo = await startDemo();
console.log(`demo  ${demo.url}`);
const [program, ...args] = opener() ?? [];
if (program !== undefined) {
  // It is printed as well, so that nothing is lost where it cannot be opened.
  spawn(program, [...args, demo.url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  await demo.close();
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
