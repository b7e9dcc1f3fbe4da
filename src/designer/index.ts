// The room's doorway: the page for flow designers.
export { addDesigner, type ChatStanding } from './designer.ts';
export { makeTrails, type Trails } from './trails.ts';
