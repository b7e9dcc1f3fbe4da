import { deaths, describeKills } from './kills.ts';

const [all, few] = [deaths(24), ['before record', 'after send', 'before outcome', 'after delivered', 'after save']];
describeKills(
  'a bot that is killed within a flow',
  all.filter(({ at: [point = ''] }) => few.includes(point)),
);
