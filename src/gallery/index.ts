// The room's doorway: the gallery of cards.
export { addGallery } from './gallery.ts';
export { type CardSample, cardSamples } from './samples.ts';
