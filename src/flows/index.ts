// The room's doorway: designers' YAML flows, read, checked, and run on the dialogs.

export { type FlowsOfBot, flows } from './capability.ts';
export { describedFlows, offeredFlows } from './described.ts';
export { type Fault, faultAnnotation, faultLine, inOrder } from './grammar/fault.ts';
export { localeOf } from './grammar/locale-files.ts';
export type { FlowSource, OutcomeName } from './grammar/schema.ts';
export { labelAt, type NamedThing, stepWritten, thingsNamed, valuesWritten } from './grammar/step-written.ts';
export { drawFlow, endNode, type FlowGraph, type GraphNode, graphOf } from './graph.ts';
export { type FlowFile, flowFilesIn, isBroken, type LoadedFlow, type LoadedFlows, loadFlows } from './load-flows.ts';
export { makeFlows } from './make-flows.ts';
export { newFlow, newTests, schemaName } from './new-flow.ts';
export { flowFolders, type OpenFlows, openFlows, readFlowFolders } from './open-flows.ts';
export type { FlowsOption, FlowsOptions } from './options.ts';
export type { FlowEvent } from './running/events.ts';
export type { RunState } from './running/run-state.ts';
export { coverageOf, skeletonFor } from './testing/coverage.ts';
export { runScript, type TestResult } from './testing/run-script.ts';
export { readScript, type Script } from './testing/script.ts';
export { type Stage, StageFault, type StageOptions } from './testing/stage.ts';
export { type Difference, differences } from './versions/compare.ts';
export { type FlowSchema, makeFlowVersions } from './versions/flow-versions.ts';
export { isReachable, type MovePlan, moveRun, planMove, runIn } from './versions/in-flight.ts';
export { readFlowVersions } from './versions/read-flow-versions.ts';
export { type KeptVersion, keptVersionOf, makeVersions, programOf } from './versions/versions.ts';
export { wayInto } from './wishes.ts';
