// The room's doorway: designers' YAML flows, read, checked, and run on the dialogs.

export { flows } from './capability.ts';
export { describedFlows, offeredFlows } from './described.ts';
export { type Fault, faultAnnotation, faultLine, inOrder } from './grammar/fault.ts';
export type { FlowSource, OutcomeName } from './grammar/schema.ts';
export { labelAt, type NamedThing, stepWritten, thingsNamed, valuesWritten } from './grammar/step-description.ts';
export { drawFlow, endNode, type FlowGraph, type GraphNode, graphOf } from './graph.ts';
export { isBroken, type LoadedFlow, type LoadedFlows, loadFlows } from './load-flows.ts';
export { makeFlows } from './make-flows.ts';
export { newFlow, newTests, schemaName } from './new-flow.ts';
export { flowFolders, openFlows, readFlowFolders } from './open-flows.ts';
export type { FlowsOptions } from './options.ts';
export type { FlowEvent } from './running/events.ts';
export type { RunState } from './running/run-state.ts';
export { coverageOf, skeletonFor } from './testing/coverage.ts';
export { runScript, type TestResult } from './testing/run-script.ts';
export { readScript, type Script } from './testing/script.ts';
export { type Stage, StageFault, type StageOptions } from './testing/stage.ts';
export { type Difference, differences } from './versions/compare.ts';
export { flowTables, makeFlowVersions } from './versions/flow-versions.ts';
export { type MovePlan, moveRun, planMove, runIn } from './versions/in-flight.ts';
export { readFlowVersions } from './versions/read-flow-versions.ts';
export { type KeptVersion, keptVersionOf, makeVersions, programOf } from './versions/versions.ts';
export { wayInto } from './wishes.ts';
