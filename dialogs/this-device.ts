// Whether a chat is on the very phone that a message goes to, so that its link can be opened right there.
import { apps, hasReturnableLink } from '../src/contract/index.ts';
import type { AppDialog, Gathered } from './app-dialog.ts';
import { isShared, type Turn } from './turn.ts';

/**
 * Whether the link of what is sent may be asked for and said in this chat (docs/decisions/0091). The channel itself says
 * whose number is writing, in this turn; its links open on that phone, which is the one that the message goes to; and
 * nobody else reads along. Never a number that was typed, or that a token or a directory tells.
 */
export const isOnThisDevice = async (
  { channel, context, services }: Turn,
  { id }: Pick<AppDialog, 'id'>,
  { initials, phoneNumber }: Pick<Gathered, 'initials' | 'phoneNumber'>,
): Promise<boolean> =>
  services.saysLinks &&
  hasReturnableLink(apps[id]) &&
  channel.opensOnPhone &&
  initials === undefined &&
  !isShared(context.activity) &&
  (await services.callerNumber(context.activity)) === phoneNumber;
