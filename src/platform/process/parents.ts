// The npm that has started this process: it passes no signal on to what its shell runs, and where it is killed nobody
// is told. A program without a parent would hold its port and its database, and the next start would fail.
import { readFileSync } from 'node:fs';

/** How often they are looked for (ms). */
const everyMs = 500;

/** A process's name and its parent; `undefined` where the system has no such files. */
const lookUp = (pid: number): { readonly name: string; readonly parent: number } | undefined => {
  try {
    // proc(5): the name is in brackets, and may have brackets and spaces itself.
    const [, name = '', parent] = /^\d+ \((.*)\) \S+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
};

/** The parent and, if that is the shell in which npm runs a command, npm. */
const parentsOf = (): readonly number[] => {
  const { ppid } = process;
  const shell = lookUp(ppid);
  return shell && /^(?:a|ba|da|k|z)?sh$/.test(shell.name) ? [ppid, shell.parent] : [ppid];
};

/**
 * Calls `gone` once the npm or npx that has started this process is gone. Does nothing for other parents: a program in
 * the background may outlive the terminal it was started from.
 */
export const onParentGone = (gone: () => void): void => {
  if (process.env.npm_command === undefined) return;
  const first = parentsOf().join();
  const timer = setInterval(() => {
    if (parentsOf().join() === first) return;
    clearInterval(timer);
    gone();
  }, everyMs);
  timer.unref();
};
