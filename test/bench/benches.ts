// Every bench there is, by its name: the rows of design/performance.md.
import type { Bench } from './line.ts';
import { card } from './rows/card.ts';
import { dialog } from './rows/dialog.ts';
import { echo, echoPlain } from './rows/echo.ts';
import { send } from './rows/send.ts';
import { start } from './rows/start.ts';

export const benches = {
  echo,
  'echo-plain': echoPlain,
  dialog,
  card,
  start,
  send,
} satisfies Record<string, Bench>;
