// The kinds of cards. Every card is made under one of these names.
import { type AppId, appIds } from '../src/contract/index.ts';

/** How an interaction can end. */
export const endingStatuses = ['success', 'failure', 'timeout', 'cancelled'] as const;
export type EndingStatus = (typeof endingStatuses)[number];

/** Kinds that do not belong to an app. */
const sharedKinds = ['menu', 'choices', 'notice', 'record', 'pointer', 'not-sent', 'end-unknown', 'verified-late'] as const;
export type SharedKind = (typeof sharedKinds)[number];

/** Kinds that every app has: to confirm, while waiting, the record left afterwards, and each ending. */
const appKinds = ['confirm', 'waiting', 'over', 'declined', ...endingStatuses] as const;
type AppKind = (typeof appKinds)[number];

/** Kinds that only one app has. */
const ownKinds = ['one-time-passcode.enter', 'document-signature.variables'] as const;
export type OwnKind = (typeof ownKinds)[number];

export type CardKind = SharedKind | `${AppId}.${AppKind}` | OwnKind;

export const cardKinds: readonly CardKind[] = [
  ...sharedKinds,
  ...appIds.flatMap((app) => appKinds.map((kind) => `${app}.${kind}` as const)),
  ...ownKinds,
];
