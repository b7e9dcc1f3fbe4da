// A chat with a bot that runs as a process of its own.
import { fetch } from 'undici';
import { until } from './until.ts';

/** A chat over Direct Line, as the page has it. */
export const openLine = async ({ PORT }: Record<string, string>) => {
  const base = `http://localhost:${PORT}`;
  const issued = (await (await fetch(`${base}/chat/token`, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).json()) as {
    token: string;
  };
  const headers = { authorization: `Bearer ${issued.token}`, 'content-type': 'application/json' };
  const conversations = `${base}/v3/directline/conversations`;
  const begun = (await (await fetch(conversations, { method: 'POST', headers })).json()) as { conversationId: string; streamUrl: string };
  const activities = `${conversations}/${begun.conversationId}/activities`;
  return {
    streamUrl: begun.streamUrl,
    say: (text: string) => fetch(activities, { method: 'POST', headers, body: JSON.stringify({ type: 'message', text }) }),
    hears: (words: RegExp) => until(async () => words.test(await (await fetch(activities, { headers })).text()), `words like ${words}`),
  };
};

/** Has the bot look a customer up, which shows that both use the same key. */
export const talksToTheService = async (settings: Record<string, string>) => {
  const line = await openLine(settings);
  await line.say('payments');
  await line.say('+12025550110');
  await line.hears(/S••• H\./);
};
