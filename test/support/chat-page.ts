// The chat page on a real port with a small bot that shows everything the real one will: a card that changes in place,
// choices, inputs.
import type { Activity } from 'botframework-schema';
import type { Page } from 'playwright-core';
import { makeAzureDirectLine } from '../../src/azure-direct-line/azure-direct-line.ts';
import type { DirectLine } from '../../src/directline/index.ts';
import type { HttpServer } from '../../src/platform/http/http-server.ts';
import type { Rate } from '../../src/platform/limits.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { Theme } from '../../src/platform/pages/theme.ts';
import { addChatPage } from '../../src/web/index.ts';
import { type Bot, type DirectLineServerOptions, startDirectLine } from './direct-line.ts';

const card = (content: object) => ({
  contentType: 'application/vnd.microsoft.card.adaptive',
  content: { type: 'AdaptiveCard', version: '1.5', ...content },
});

const step = (text: string, done: boolean) => ({
  type: 'TextBlock',
  text: `${done ? '✓' : '○'} ${text}`,
  wrap: true,
  spacing: 'Small',
  isSubtle: !done,
});

/** A card like one that waits for an outcome, with the given number of steps done. */
export const waitingCard = (done: number) => ({
  type: 'message',
  summary: `Payment request, step ${done}`,
  speak: `Payment request, step ${done}`,
  channelData: { 'webchat:fallback-text': `Payment request, step ${done}` },
  attachments: [
    card({
      body: [
        { type: 'TextBlock', text: 'Payment request sent', weight: 'Bolder', size: 'Medium', wrap: true },
        { type: 'TextBlock', text: 'Home insurance, yearly · €120.00', wrap: true, isSubtle: true, spacing: 'None' },
        ...['Sent to your phone', 'Opened', 'Started'].map((text, index) => step(text, index < done)),
      ],
      actions: [
        { type: 'Action.Submit', title: 'Send again', data: { msteams: { type: 'messageBack' }, action: 'resend' } },
        { type: 'Action.Submit', title: 'Cancel', style: 'destructive', data: { action: 'cancel' } },
      ],
    }),
  ],
});

const form = {
  type: 'message',
  attachments: [
    card({
      body: [
        { type: 'TextBlock', text: 'Fill in the document', weight: 'Bolder', size: 'Medium', wrap: true },
        { type: 'Input.Text', id: 'name', label: 'Full name', isRequired: true, errorMessage: 'Enter your name' },
        { type: 'Input.Date', id: 'date', label: 'Moving date' },
        {
          type: 'Input.ChoiceSet',
          id: 'size',
          label: 'Home',
          choices: [
            { title: 'Flat', value: 'f' },
            { title: 'House', value: 'h' },
          ],
          value: 'f',
        },
        {
          type: 'FactSet',
          facts: [
            { title: 'Document', value: 'Change of address' },
            { title: 'Customer', value: 'J••• D.' },
          ],
        },
      ],
      actions: [{ type: 'Action.Submit', title: 'Send for signature', style: 'positive', data: { action: 'send' } }],
    }),
  ],
};

const pairs = (value: object) =>
  Object.entries(value)
    .sort()
    .map(([name, content]) => `${name}=${content}`)
    .join(' ');

/**
 * Greets with choices; answers `form` with a card of inputs, `wait` with a waiting card, anything else with an echo.
 */
export const pageBot: Bot = async (activity: Activity, connector) => {
  const id = activity.conversation.id;
  if (activity.type === 'conversationUpdate') {
    await connector.post(id, {
      type: 'message',
      text: activity.locale?.startsWith('es') ? 'Hola. ¿En qué puedo ayudarle?' : 'Hello. What can I do for you?',
      suggestedActions: {
        actions: ['Pay', 'Sign a document', 'Fill in a form', 'Verify me'].map((title) => ({ type: 'imBack', title, value: title })),
        to: [],
      },
    });
  }
  if (activity.type !== 'message') return;
  if (activity.text === 'form') await connector.post(id, form, activity.id);
  else if (activity.text === 'wait') await connector.post(id, waitingCard(1), activity.id);
  else if (activity.value) await connector.post(id, { type: 'message', text: `Got ${pairs(activity.value)}` }, activity.id);
  else await connector.post(id, { type: 'message', text: `Echo (${activity.locale}): ${activity.text}` }, activity.id);
};

/** A Direct Line with the chat page in front of it, on a loopback port. */
export const startPage = async ({
  rate,
  theme,
  embedOrigins,
  azure,
  more: besides,
  ...options
}: DirectLineServerOptions & {
  rate?: Rate;
  theme?: Theme;
  embedOrigins?: readonly string[];
  /** Runs the page over another Direct Line, as one of Azure. */
  azure?: { readonly url: string; readonly secret: string };
} = {}) => {
  let ready: Promise<unknown> | undefined;
  const more = async (server: HttpServer, directLine: DirectLine) => {
    ready = Promise.all([besides?.(server, directLine), add(server, directLine)]);
  };
  const add = (server: HttpServer, directLine: DirectLine) =>
    addChatPage(server, {
      issueToken: (request) => directLine.issueToken(request),
      holdsToken: (token) => directLine.holdsToken(token),
      renewToken: (...request) => directLine.renewToken(...request),
      endConversation: (token, session) => directLine.endConversation(token, session),
      rate: { points: 1000, seconds: 1, ...rate },
      theme,
      embedOrigins,
      publicUrl: options.publicUrl,
      ...(azure && {
        ...makeAzureDirectLine(azure.url, azure.secret, options.publicUrl, options.log ?? makeLog('silent')),
        directLineUrl: azure.url,
      }),
    });
  const line = await startDirectLine({ bot: pageBot, more, ...options });
  await ready;
  return { ...line, url: `http://localhost:${line.port}/` };
};

/** Types into the send box and sends. */
export const say = async (page: Page, text: string) => {
  await page.locator('[data-id="webchat-sendbox-input"]').fill(text);
  await page.keyboard.press('Enter');
};

/** The bubbles of the transcript, oldest first, as text. */
export const transcript = (page: Page) => page.locator('.webchat__basic-transcript__activity .webchat__bubble__content').allInnerTexts();
