// The faults of a request, as the interface reports them.
import { type FieldError, HttpProblem } from '../../platform/http/http-problem.ts';

/** A request that breaks rules, field by field. */
export const invalid = (errors: readonly FieldError[]) =>
  new HttpProblem(422, 'invalid_request', 'The request breaks the rules of its fields; `errors` tells which.', { errors });

/** A value, or the request's faults by field. */
export type Checked<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] };

/** The value. @throws {HttpProblem} 422 with the faults. */
export const accepted = <Value>(checked: Checked<Value>): Value => {
  if ('errors' in checked) throw invalid(checked.errors);
  return checked.value;
};
