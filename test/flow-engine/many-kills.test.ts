import { deaths, describeKills } from './kills.ts';

// Every point, the first time that a flow comes to it.
describeKills('a bot that is killed at every point within a flow', deaths(24));
