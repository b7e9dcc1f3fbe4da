// The room's doorway: designers' YAML flows, read, checked, and run on the dialogs.

export { flows } from './capability.ts';
export { type Fault, faultLine } from './grammar/fault.ts';
export type { FlowSource } from './grammar/schema.ts';
export { stepWritten } from './grammar/step-description.ts';
export { endNode, type FlowGraph, type GraphNode, graphOf } from './graph.ts';
export { isBroken, type LoadedFlow, type LoadedFlows } from './load-flows.ts';
export { makeFlows } from './make-flows.ts';
export { openFlows, readFlowFolders } from './open-flows.ts';
export type { FlowEvent } from './running/events.ts';
export { type Stage, StageFault, type StageOptions } from './testing/stage.ts';
export { flowTables, makeFlowVersions } from './versions/flow-versions.ts';
export { runIn } from './versions/in-flight.ts';
export { makeVersions, programOf } from './versions/versions.ts';
export { wayInto } from './wishes.ts';
