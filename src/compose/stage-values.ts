// What a flow fills a document in with, held against what the document asks for: a customer who is asked all the same
// is asked because the flow is wrong, which a test must not pass over.
import { didYouMean, type LoadedFlows, runIn, valuesWritten } from '../flows/index.ts';
import { innermostOf, type Seen, type Unfit } from './stage-world.ts';

/** What of the flow's step is why the open question is asked; nothing where the flow left it to the customer. */
export const unfitValues = (dialogs: Seen, { flows }: LoadedFlows): Unfit => {
  const open = innermostOf(dialogs);
  const frame = runIn({ dialogs })?.frames.at(-1);
  const flow = flows.get(frame?.flow ?? '');
  if (open?.id !== 'variables' || !flow || frame?.at === undefined) return { unknown: [], refused: [] };
  const { chosen, filled = {}, found, refused = [] } = open.state.options;
  const document: Seen = found.documents.find(({ id }: Seen) => id === chosen);
  const names: string[] = (document?.variables ?? []).map(({ name }: Seen) => name);
  const written = valuesWritten(flow.source, frame.at);
  const refusedNames: string[] = written.names.length > 0 ? refused : [];
  const line = (name: string) => `${flow.places.file}:${flow.places.line(written.at(name))}`;
  return {
    unknown: written.names
      .filter((name) => !names.includes(name))
      .map((name) => {
        const { hint } = didYouMean(
          name,
          names.filter((one) => !written.names.includes(one)),
        );
        return `${line(name)}: ${name} is no variable of “${document?.title}”; ${hint ?? `it has ${names.join(', ')}`}`;
      }),
    // A step that gives nothing leaves all of it to the customer.
    refused: refusedNames.map((name) =>
      written.names.includes(name)
        ? `${line(name)}: the service refused ${JSON.stringify(filled[name])} as ${name} of “${document?.title}”`
        : `${line(name)}: “${document?.title}” needs ${name} too`,
    ),
  };
};
