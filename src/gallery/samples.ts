// Every card in every form, with realistic data. Each kind of card has a sample: the compiler requires those of shared
// cards, and those of apps and endings are generated.
import type { CardMessage, Texts } from '../../cards/index.ts';
import { appSamples } from './app-samples.ts';
import { ownSamples, sharedSamples } from './shared-samples.ts';

/** All cards in one language; their names are grouped by the part before the slash. */
export const cardSamples = (t: Texts): { readonly name: string; readonly message: CardMessage }[] => {
  const { 'one-time-passcode.enter': passcode, 'document-signature.variables': document } = ownSamples(t);
  const named = (group: string, forms: Readonly<Record<string, CardMessage>>) =>
    Object.entries(forms).map(([name, message]) => ({ name: `${group}/${name}`, message }));
  return [
    ...Object.values(sharedSamples(t)).flatMap((forms) => named('shared', forms)),
    ...named('one-time-passcode', passcode),
    ...named('document-signature', document),
    ...appSamples(t).map(([name, message]) => ({ name, message })),
  ];
};
