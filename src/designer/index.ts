// The doorway of the page for those who write flows.
export { addDesigner, type ChatStanding } from './designer.ts';
export { makeTrails, type Trails } from './trails.ts';
