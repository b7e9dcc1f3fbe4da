// Resends a request's message with a new link or code, which replaces the old one.

import { HttpProblem } from '../../../platform/http/http-problem.ts';
import type { Scheduler } from '../../../platform/time/scheduler.ts';
import type { AppContext } from '../app-context.ts';
import type { By } from '../audit/actions.ts';
import { messageQuotas, tooMany, withinQuotas } from '../limits/quota.ts';
import type { Compose } from '../messages/compose.ts';
import type { Request } from '../store/request.ts';

export type Resend = ReturnType<typeof makeResend>;

/** What wakes after a send: the scheduler of requests, and the dispatch of messages. */
export type Woken = Readonly<Record<'dispatch' | 'scheduler', Scheduler>>;

export const makeResend =
  ({ apps, storage, limits, seal, clock, log }: AppContext, compose: Compose, { scheduler, dispatch }: Woken) =>
  /** Sends again. @throws {HttpProblem} 409 when the request is over, 429 with Retry-After before the cooldown has passed. */
  async (request: Request, by: By): Promise<void> => {
    const now = clock.now();
    if (request.state !== 'pending' || request.expiresAt <= now) throw alreadyFinished();
    const cooldowns = limits.resendCooldownsMs;
    const cooldown = cooldowns[Math.min(request.resends, cooldowns.length - 1)] ?? 0;
    if (now < request.sentAt + cooldown) throw tooSoon(cooldown, request.sentAt + cooldown - now);
    // A new passcode is valid as long as the first one was; a link never lives longer than its request.
    const expiresAt = apps[request.app].answeredBy === 'code' ? now + (request.expiresAt - request.sentAt) : request.expiresAt;
    const { stored } = compose({ ...request, sentAt: now, expiresAt });
    const { id, resends } = request;
    const quotas = request.recipients.flatMap(({ to }) => messageQuotas(limits, seal, request, to));
    const resent = await withinQuotas(() => storage.changes.resend({ id, resends, at: now, expiresAt, quotas, by, ...stored }));
    if (!resent) {
      // It has just ended, or another process has just resent it, which starts the cooldown.
      const current = await storage.requests.get(id);
      throw current?.state === 'pending' ? tooSoon(cooldown, cooldown) : alreadyFinished();
    }
    log.info({ component: 'requests', interaction: id, app: request.app, count: resends + 1 }, 'a message is sent again');
    dispatch.wake(now);
    scheduler.wake(expiresAt);
  };

const tooSoon = (cooldown: number, waitMs: number) =>
  tooMany(
    'cooldown',
    'The message was sent a moment ago. Wait before sending it again.',
    'resend',
    { points: 1, seconds: Math.ceil(cooldown / 1000) },
    waitMs,
  );

/** The 409 of a request that is over. */
export const alreadyFinished = () => new HttpProblem(409, 'already_finished', 'This request is finished.');
