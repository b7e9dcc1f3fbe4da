import { deaths, describeKills } from './kills.ts';

describeKills('a bot that is killed at fifty places within a flow', deaths(50));
