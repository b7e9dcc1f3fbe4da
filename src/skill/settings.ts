// The bots that may run this one as a skill, from the environment.
import { z } from 'zod';
import type { SkillCaller } from '../platform/root-bot.ts';

const callerEntry = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,})$/;

/**
 * SKILL_CALLERS: the bots that may run this one as a skill, each by its app id and the host that receives answers.
 * There is no wildcard.
 */
const skillCallers = z
  .string()
  .transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  .pipe(
    z.array(
      z
        .string()
        .regex(
          callerEntry,
          'must be bots such as 66666666-7777-4888-9999-000000000000@bot.example.com, the app id and the host of each, separated by commas',
        ),
    ),
  )
  .transform((entries) => entries.map((written): SkillCaller => callerIn(written)));

const callerIn = (written: string): SkillCaller => {
  const [appId = '', host = ''] = written.split('@');
  return { appId, host };
};

export const skillShape = { SKILL_CALLERS: skillCallers.optional() };
