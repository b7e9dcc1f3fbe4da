import { onPostgres } from './backends.ts';
import { describeKills } from './kills.ts';

describeKills(onPostgres);
