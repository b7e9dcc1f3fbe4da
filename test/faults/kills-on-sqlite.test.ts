import { onSqlite } from './backends.ts';
import { describeKills } from './kills.ts';

describeKills(onSqlite);
