// Where the flows are that come with the bot: beside this module, in the sources and in a bundle alike.
import { fileURLToPath } from 'node:url';

export const flowsFolder: string = fileURLToPath(new URL('./flows', import.meta.url));
