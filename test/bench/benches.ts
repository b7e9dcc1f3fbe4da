// Every bench there is, by its name: rows of docs/performance.md, in their order.
import type { Bench } from './line.ts';
import { card } from './rows/card.ts';
import { chatPage } from './rows/chat-page.ts';
import { claim } from './rows/claim.ts';
import { conversation } from './rows/conversation.ts';
import { desk } from './rows/desk.ts';
import { dialog } from './rows/dialog.ts';
import { directLine } from './rows/direct-line.ts';
import { echo, echoPlain } from './rows/echo.ts';
import { limits } from './rows/limits.ts';
import { outcomes } from './rows/outcomes.ts';
import { statements, takeover } from './rows/replicas.ts';
import { send } from './rows/send.ts';
import { start } from './rows/start.ts';
import { waiting } from './rows/waiting.ts';

export const benches = {
  echo,
  'echo-plain': echoPlain,
  dialog,
  'direct-line': directLine,
  conversation,
  outcomes,
  waiting,
  takeover,
  statements,
  claim,
  send,
  desk,
  card,
  start,
  limits,
  'chat-page': chatPage,
} satisfies Record<string, Bench>;
