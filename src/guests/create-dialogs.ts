// The apps for any Bot Framework bot: import { createDialogs } from 'countersign/dialogs'.
import type { GuestDialogs, GuestFlowOptions } from '../../dialogs/index.ts';
import { type Connection, openConnection } from '../compose/bot/connection.ts';
import type { ConnectionOptions, ConversationOptions, HostBot } from '../compose/bot/core-options.ts';
import type { Limits } from '../compose/bot/limits.ts';
import type { Dialog } from '../compose/bot/sdk.ts';
import type { ResultRecord } from '../contract/index.ts';
import { flowTables, openFlows } from '../flows/index.ts';
import { makeLog } from '../platform/log.ts';
import { makeGuest } from './guest-turns.ts';

export type { CallerOptions, GuestDialogs, GuestFlowOptions, GuestFlowOutcome, GuestOptions, GuestOutcome } from '../../dialogs/index.ts';
export { eventHandoff, type Handoff } from '../../dialogs/index.ts';
export type { ConnectionOptions, ConversationOptions, HostBot, ServiceOptions, StoragePlace } from '../compose/bot/core-options.ts';
export { SettingsError } from '../platform/settings/settings-error.ts';
export { type SettleBillOutcome, settleBill, type VerifyThenOptions, type VerifyThenOutcome, verifyThen } from './recipes.ts';

export interface DialogsOptions extends HostBot, ConnectionOptions, ConversationOptions {
  /** How many look-ups one chat may make. Unset: the public's limits with an app id, this machine's without. */
  readonly limits?: Partial<Pick<Limits, 'lookups'>> | undefined;
  /** Folders of flows (docs/flows.md), read once. Unset: none. */
  readonly flows?: { readonly folders: readonly string[] } | undefined;
}

/** A bot of a program that may have another. */
export interface HostsGuests {
  /**
   * The apps as dialogs for another bot of this program, over the same service and storage: `countersign/dialogs`
   * without another connection. Call it once, before `start`.
   */
  readonly dialogs: (bot: HostBot) => GuestDialogs;
}

export interface AppsInBot {
  /**
   * The apps by identifier. Add them to a dialog set; begin them by their identifiers, with options; each ends with a
   * `GuestOutcome`.
   */
  readonly dialogs: GuestDialogs;
  /**
   * The flows by name. Add those that you use; begin them by their names, with inputs; each ends with a
   * `GuestFlowOutcome`.
   */
  readonly flows: Readonly<Record<string, Dialog<GuestFlowOptions>>>;
  /**
   * Connects, resumes work that a stop or a crash left unfinished, and delivers outcomes from now on. Await it before
   * the first turn.
   * @throws {SettingsError} if the service's address or the storage cannot be used.
   */
  start(): Promise<void>;
  /** Stops watching and delivering. Nothing is lost: the next start continues. */
  stop(): Promise<void>;
  /**
   * The whole result of an interaction, read from the service again: the chat's own record has no answers, links or
   * receipts. `undefined` if there is none.
   */
  result(interactionId: string): Promise<ResultRecord | undefined>;
}

/**
 * The apps and flows as dialogs of the host bot, over their own connection. Nothing happens before `start`.
 * @throws {SettingsError} with every fault of every flow.
 */
export const createDialogs = ({ adapter, appId, conversationState, resume, flows: folders, ...options }: DialogsOptions): AppsInBot => {
  const loaded = folders && openFlows(folders, options.log ?? makeLog('warn')).current();
  let connection: Connection | undefined;
  const connected = () => {
    if (!connection) throw new Error('The dialogs have not been started: await start() before the first turn.');
    return connection;
  };
  const host = { adapter, appId, conversationState, resume };
  const { dialogs, flows, notify } = makeGuest(host, options, connected, loaded);
  return {
    dialogs,
    flows,
    start: async () => {
      if (connection) throw new Error('The dialogs have been started already.');
      connection = await openConnection(options, [flowTables]);
      try {
        await connection.open(notify);
      } catch (fault) {
        await connection.close();
        connection = undefined;
        throw fault;
      }
    },
    stop: async () => {
      await connection?.close();
      connection = undefined;
    },
    result: (interactionId) => connected().interactions.result(interactionId),
  };
};
