// The setting SKILL_CALLERS: the bots that may run this one as a skill.
import { z } from 'zod';
import type { SkillCaller } from '../platform/root-bot.ts';

const entry = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,})$/;

/** Each by its app id and the host at which it takes answers. There is no word for everybody. */
export const skillCallers = z
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
          entry,
          'must be bots such as 66666666-7777-4888-9999-000000000000@bot.example.com, the app id and the host of each, separated by commas',
        ),
    ),
  )
  .transform((entries) => entries.map((written): SkillCaller => callerIn(written)));

const callerIn = (written: string): SkillCaller => {
  const [appId = '', host = ''] = written.split('@');
  return { appId, host };
};
