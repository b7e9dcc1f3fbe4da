// A whole bot, with its web chat, run by a program of somebody else's.
import { createBot } from 'countersign';

const { SERVICE_BASE_URL: baseUrl = '', SERVICE_SECRET_KEY: secretKey = '', DATA_DIR: folder = '.data' } = process.env;
const bot = createBot({ service: { baseUrl, secretKey }, storage: { folder }, lookupReplies: 'offer' });

const { chatUrl } = await bot.start({ port: Number(process.env.PORT ?? 3978) });
console.log(`Chat at ${chatUrl}`);
process.once('SIGTERM', () => bot.stop());
