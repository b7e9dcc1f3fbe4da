// Tests of flows and dialogs, without a network: import { stageDialog, stageFlow } from 'countersign/testing'.
import { flowsFolder } from '../../dialogs/index.ts';
import type { Operator } from '../compose/bot/core-options.ts';
import { faultLine, isBroken, type LoadedFlows, readFlowFolders, type Stage, StageFault, type StageOptions } from '../flows/index.ts';
import { openStage } from '../flows/testing/flow-stage.ts';
import { ownCards } from '../own-cards/index.ts';
import { SettingsError } from '../platform/settings/settings-error.ts';
import { type DialogStage, type DialogStageOptions, openDialogStage } from './dialog-stage.ts';

export { SettingsError } from '../platform/settings/settings-error.ts';
export type { DialogStage, DialogStageOptions, StageApps } from './dialog-stage.ts';
export { type Stage, StageFault, type StageOptions };

/** The folders of flows. */
export interface FlowFolders {
  /** Folders of flows; if two flows have one name, the one in the later folder counts. */
  readonly folders?: readonly string[] | undefined;
}

const loadedFrom = (folders: readonly string[]): LoadedFlows => {
  const loaded = readFlowFolders(folders);
  if (isBroken(loaded.faults)) throw new SettingsError(loaded.faults.map((fault) => faultLine(fault)));
  return loaded;
};

/**
 * A stage for a flow of these folders, or one of the included flows: the bot with the reference service in this
 * process, and a customer and a device that do what the test says. Start the flow with `begin()`, or by saying what a
 * customer would. Until the stage is closed, time stands still for the whole process, except that `advance` moves it,
 * so there is one stage at a time. The bot is as the options say: nothing is read from the environment.
 * @throws {SettingsError} with every fault of every flow, if there is no such flow, or without the package
 * `countersign-service`.
 */
export const stageFlow = async (flow: string, { folders, ...options }: FlowFolders & Operator & StageOptions = {}): Promise<Stage> => {
  const loaded = loadedFrom([flowsFolder, ...(folders ?? [])]);
  if (!loaded.flows.has(flow)) throw new SettingsError([`flows: there is no flow ${flow}.`]);
  return openStage(loaded, flow, { ...options, capabilities: [ownCards] });
};

/**
 * A stage for a dialog of a Bot Framework bot that is built from our apps and flows. `begin()` starts it, and
 * `result()` is what it ended with. Otherwise like {@link stageFlow}.
 * @throws {SettingsError} as {@link stageFlow} does.
 */
export const stageDialog = async <Options extends object, Result = unknown>({
  folders = [],
  ...options
}: FlowFolders & DialogStageOptions<Options>): Promise<DialogStage<Result>> => openDialogStage(options, loadedFrom(folders));
