// How a caller is found: by a number that somebody vouches for, or by one that anybody could have typed.
import type { Memory } from './memory.ts';
import type { Turn } from './turn.ts';

/**
 * `offered`: the number's customers are offered, masked. `alike`: the number and the initials of a name are taken as they are typed, and what the chat is
 * told does not depend on whose they are (docs/decisions/0017).
 */
export type Finding = 'offered' | 'alike';

/** How the owner of a number is found in this chat. */
export const findingOf = async ({ context, memory, services }: Turn, phoneNumber: string): Promise<Finding> => {
  const { activity } = context;
  if (!services.asksInitials(activity)) return 'offered';
  if (memory.vouchedFor !== phoneNumber) {
    const vouchedFor = await services.callerNumber(activity);
    if (vouchedFor !== undefined) memory.vouchedFor = vouchedFor;
  }
  return memory.vouchedFor === phoneNumber ? 'offered' : 'alike';
};

/** Forgets who is calling. */
export const forgetCaller = (memory: Memory): void => {
  delete memory.phoneNumber;
  delete memory.initials;
};
