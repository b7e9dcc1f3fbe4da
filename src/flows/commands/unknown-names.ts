// What flows name and nobody offers: forms of the operator, documents and products of the service.
import { chatLanguages, formTitle, makeTexts, namedIn } from '../../../dialogs/index.ts';
import type { Operator } from '../../compose/bot/core-options.ts';
import { findService } from '../../compose/installed-service.ts';
import type { Environment } from '../../platform/settings/environment.ts';
import type { Fault } from '../grammar/fault.ts';
import { type NamedThing, thingsNamed } from '../grammar/step-description.ts';
import type { LoadedFlows } from '../load-flows.ts';

interface Offered {
  readonly value: string;
  readonly title: (language: string) => string;
  readonly names?: Readonly<Record<string, readonly string[]>> | undefined;
}

/**
 * What flows name and nobody offers. The catalogue of a service elsewhere (SERVICE_BASE_URL) is not known.
 * @throws {SettingsError} if the catalogue's file cannot be used.
 */
export const unknownNames = async (
  { flows }: LoadedFlows,
  { conversation, catalogue }: Operator,
  environment: Environment,
): Promise<Fault[]> => {
  const forms = (conversation?.forms ?? []).map(
    (form): Offered => ({ value: form.id, title: (language) => formTitle(form, language), names: form.names }),
  );
  const elsewhere = catalogue === undefined && Boolean(environment.SERVICE_BASE_URL);
  const service = elsewhere ? undefined : await findService();
  const offered: Partial<Record<NamedThing['kind'], readonly Offered[]>> = { form: forms, ...service?.offersIn(catalogue) };
  return [...flows.values()].flatMap((flow) =>
    thingsNamed(flow).flatMap(({ kind, written, unknown }) => {
      const things = offered[kind];
      return things === undefined || isAmong(things, written) ? [] : [unknown];
    }),
  );
};

/** By its identifier, or by its name in some language. */
const isAmong = (things: readonly Offered[], written: string): boolean =>
  things.some(({ value }) => value === written) ||
  chatLanguages.some((language) => {
    const named = things.map(({ value, title, names }) => ({ value, title: title(language), names: names?.[language] ?? [] }));
    return namedIn(written, named, makeTexts(language)) !== undefined;
  });
