// What must be true after any faults (docs/faults.md), said as violations: an empty list is a clean run.
import type { Seen } from '../support/direct-line.ts';
import { wordsOf } from '../support/words.ts';
import { isEnding } from './customer.ts';
import type { Chat, Evidence, InteractionRow } from './evidence.ts';

export interface Violation {
  readonly rule: 'acknowledged' | 'doubled effect' | 'false verified' | 'lost' | 'order' | 'repeated' | 'wrong outcome';
  readonly about: string;
}

const conversationOf = ({ conversation }: InteractionRow): string => JSON.parse(conversation)[1];
const isBots = ({ type, from }: Seen) => type === 'message' && from.role === 'bot';
const tells = (activity: Seen) => activity.channelData?.interaction as { requestId?: string; status: string } | undefined;

export const check = ({ interactions, activities, requests, chats }: Evidence): Violation[] => {
  const violations: Violation[] = [];
  const report = (rule: Violation['rule'], about: string) => void violations.push({ rule, about });
  const byRequest = new Map(interactions.flatMap((row) => (row.request_id === null ? [] : [[row.request_id, row] as const])));
  const byId = new Map(interactions.map((row) => [row.id, row]));
  const requestById = new Map(requests.map((request) => [request.id, request]));

  for (const row of interactions) {
    const name = `${row.app} ${row.id} (${row.state})`;
    if (row.told !== 1 || !['delivered', 'refused', 'unknown'].includes(row.state)) report('lost', `${name} never came to its end`);
    const request = row.request_id === null ? undefined : requestById.get(row.request_id);
    const status = row.outcome === null ? undefined : JSON.parse(row.outcome).status;
    if (status === 'success' && request?.state !== 'success') report('false verified', `${name}: the service says ${request?.state}`);
    if (status === 'failure' && request?.state !== 'failure' && row.app !== 'one-time-passcode')
      report('wrong outcome', `${name}: failure here, ${request?.state} at the service`);
  }

  for (const request of requests) {
    const row = byRequest.get(request.id) ?? byId.get(request.key);
    if (!row) report('lost', `the service has ${request.app} ${request.id}, and nobody here waits for it`);
    else if (row.request_id !== request.id && row.state !== 'unknown')
      report('lost', `the service accepted ${request.app} ${request.id}, which is ${row.state} here`);
  }

  for (const chat of chats) {
    const own = interactions.filter((row) => conversationOf(row) === chat.conversationId);
    checkEndings(chat, own, report);
    checkRepeats(chat, report);
    checkOrder(chat, report);
    if (own.length > chat.confirms) report('doubled effect', `${chat.name} confirmed ${chat.confirms} times, ${own.length} were begun`);
    const sent = requests.filter(({ id, key }) => own.some((row) => row.request_id === id || row.id === key));
    if (sent.length > chat.confirms) report('doubled effect', `${chat.name} confirmed ${chat.confirms} times, ${sent.length} were sent`);
    const shown = new Set(chat.transcript.map(({ id }) => id));
    for (const id of chat.acknowledged) if (!shown.has(id)) report('acknowledged', `${chat.name}: ${id} was taken and is gone`);
  }

  const acknowledged = new Set(chats.flatMap((chat) => chat.acknowledged));
  for (const { activity_id, awaits_turn } of activities)
    if (awaits_turn === 1 && acknowledged.has(activity_id)) report('acknowledged', `${activity_id} was taken and still awaits its turn`);
  return violations;
};

type Report = (rule: Violation['rule'], about: string) => void;

/** Every ending is told once, in its own chat, as it was decided. */
const checkEndings = ({ name, transcript }: Chat, own: readonly InteractionRow[], report: Report) => {
  for (const row of own.filter(({ outcome }) => outcome !== null)) {
    const told = transcript.filter((activity) => tells(activity)?.requestId === row.request_id);
    const { status } = JSON.parse(row.outcome as string);
    if (told.length === 0) report('lost', `${name} was never told the ${status} of ${row.app} ${row.id}`);
    if (told.length > 1) report('repeated', `${name} was told the ${status} of ${row.app} ${row.id} ${told.length} times`);
    for (const activity of told)
      if (tells(activity)?.status !== status) report('wrong outcome', `${name} was told ${tells(activity)?.status}, it was ${status}`);
  }
  for (const activity of transcript) {
    const told = tells(activity);
    const row = own.find(({ request_id }) => request_id === told?.requestId);
    if (told && !row) report('wrong outcome', `${name} was told the ending of a request that is not theirs`);
  }
  // One whose end was unknown at first was told that, before its outcome.
  const without = own.filter(({ outcome }) => outcome === null || JSON.parse(outcome).late).length;
  const said = transcript.filter((activity) => isEnding(activity) && !tells(activity)).length;
  if (said < without) report('lost', `${name}: ${without} were not sent or of unknown fate, told of ${said}`);
  if (said > without) report('repeated', `${name}: ${without} were not sent or of unknown fate, told of ${said}`);
};

/**
 * The same thing is not said twice for the same reason: in answer to one message, or by itself with nobody speaking in
 * between.
 */
const checkRepeats = ({ name, transcript }: Chat, report: Report) => {
  const seen = new Set<string>();
  let round = 0;
  for (const activity of transcript) {
    // What the page is told is no saying.
    if (activity.type === 'event') continue;
    if (!isBots(activity)) {
      round += 1;
      continue;
    }
    const text = wordsOf(activity);
    const key = `${activity.replyToId ?? `alone ${round}`}\n${text}`;
    if (seen.has(key)) report('repeated', `${name} was told twice: ${text.split('\n', 1)[0]}`);
    seen.add(key);
  }
};

const waiting = /^(?:Waiting for your|Enter your code)/;
const confirmed = /^Send (?:a|this) [\w ]+\?/;

/**
 * "Sent" never comes after "finished": no waiting card below an ending, unless something else was confirmed in between.
 */
const checkOrder = ({ name, transcript }: Chat, report: Report) => {
  let over = false;
  for (const activity of transcript.filter(isBots)) {
    const text = wordsOf(activity);
    if (isEnding(activity)) over = true;
    if (confirmed.test(text)) over = false;
    if (over && waiting.test(text)) report('order', `${name}: "${text.split('\n', 1)[0]}" below an ending`);
  }
};
