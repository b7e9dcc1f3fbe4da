// Whose chat it is: the one who spoke first. Some channels do not say that a chat is a group.
import type { Activity } from 'botbuilder';

/** Who speaks on a channel. */
export interface Owner {
  readonly id: string;
  /** The same person wherever they write, where the channel knows it (Microsoft Entra). */
  readonly aadObjectId?: string;
  readonly tenantId?: string;
}

const speakerOf = ({ conversation, from }: Activity): Owner => ({
  id: from.id,
  ...(from.aadObjectId && { aadObjectId: from.aadObjectId }),
  ...(conversation.tenantId && { tenantId: conversation.tenantId }),
});

/** A tenant that a channel leaves out of an activity says nothing. */
const isSame = (one: Owner, other: Owner) =>
  (!one.tenantId || !other.tenantId || one.tenantId === other.tenantId) &&
  (one.aadObjectId && other.aadObjectId ? one.aadObjectId === other.aadObjectId : one.id === other.id);

/** Whether whoever speaks now is the chat's owner. The first to speak becomes that. */
export const isOwner = (memory: { owner?: Owner }, activity: Activity): boolean => {
  const speaker = speakerOf(activity);
  memory.owner ??= speaker;
  return isSame(memory.owner, speaker);
};
