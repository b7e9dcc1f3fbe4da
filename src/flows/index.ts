// The doorway of flows: what designers write in YAML, read, checked, and run on the dialogs.
export { type Fault, faultAnnotation, faultLine } from './fault.ts';
export { flowFilesIn, isBroken, type LoadedFlow, type LoadedFlows, loadFlows } from './load-flows.ts';
export { makeFlows } from './make-flows.ts';
export type { FlowEvent } from './runner.ts';
export { type FlowSource, flowJsonSchema } from './schema.ts';
export { type KeptVersion, makeVersions, type VersionStore } from './versions.ts';
