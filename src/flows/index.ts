// The room's doorway: designers' YAML flows, read, checked, and run on the dialogs.

export { type Difference, differences } from './compare.ts';
export { describedFlows, offeredFlows } from './described.ts';
export type { FlowEvent } from './events.ts';
export { didYouMean, type Fault, faultAnnotation, faultLine, inOrder } from './fault.ts';
export { drawFlow, endNode, type FlowGraph, type GraphNode, graphOf } from './graph.ts';
export { isReachable, type MovePlan, moveRun, planMove, runIn } from './in-flight.ts';
export { type FlowFile, flowFilesIn, isBroken, type LoadedFlow, type LoadedFlows, loadFlows } from './load-flows.ts';
export { localeOf } from './locale-files.ts';
export { makeFlows } from './make-flows.ts';
export { newFlow, newTests, schemaName } from './new-flow.ts';
export type { RunState } from './run-state.ts';
export type { FlowSource, OutcomeName } from './schema.ts';
export { labelAt, type NamedThing, stepWritten, thingsNamed, valuesWritten } from './step-written.ts';
export { coverageOf, skeletonFor } from './testing/coverage.ts';
export { runScript, type TestResult } from './testing/run-script.ts';
export { readScript, type Script } from './testing/script.ts';
export { type Stage, StageFault, type StageOptions } from './testing/stage.ts';
export { type KeptVersion, keptVersionOf, makeVersions, programOf } from './versions.ts';
export { wayInto } from './wishes.ts';
