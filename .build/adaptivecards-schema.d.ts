// Stands for a source file of the card library that the types of adaptivecards-templating name; its own options differ.
export type IAdaptiveCard = object;
