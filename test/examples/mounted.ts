// The same bot on a server that is there already.
import { createServer } from 'node:http';
import { createBot } from 'countersign';
import { makeTexts, outcomeCard } from 'countersign/cards';
import { createServiceClient } from 'countersign/client';
import { appIds } from 'countersign/contract';

const { SERVICE_BASE_URL: baseUrl = '', SERVICE_SECRET_KEY: secretKey = '', DATA_DIR: folder = '.data' } = process.env;
const bot = createBot({ service: { baseUrl, secretKey }, storage: { folder }, lookupReplies: 'offer' });
await bot.start();

const server = createServer((req, res) => {
  if (req.url === '/hello') res.end('Hello from somebody else');
  else void bot.handler(req, res);
});
server.on('upgrade', bot.upgrade);
server.listen(Number(process.env.PORT ?? 3978), 'localhost', () => console.log('Listening'));

const client = createServiceClient({ baseUrl, secretKey });
const { products } = await client.apps.payments.bootstrap({ phoneNumber: '+12025550102' });
const { text } = outcomeCard('payments', { status: 'timeout', at: Date.now(), actions: [] }, makeTexts('en'));
console.log(`${appIds.length} apps, ${products.length} products, and words: ${text}`);
process.once('SIGTERM', async () => {
  server.close();
  await Promise.all([bot.stop(), client.close()]);
});
