// A device page of several steps, for an app whose customers do more than fill in one form.
import type { FieldError } from '../../../platform/http/http-problem.ts';
import type { PageParts } from '../app.ts';
import type { Origin } from '../audit/origin.ts';
import type { Request } from '../store/request.ts';
import type { TextKey, Texts } from '../texts.ts';

/** What a customer sees next: a step of the page, or the end. */
export type FlowStep =
  | { readonly page: PageParts; readonly errors?: readonly FieldError[] }
  /** `over`: it has just ended otherwise. `reason`: why it failed, unless the customer declined. */
  | { readonly ended: 'failure' | 'over'; readonly reason?: TextKey }
  | { readonly ended: 'success' };

export interface FlowContext {
  readonly words: Texts;
  readonly entered: Readonly<Record<string, string>>;
  readonly origin: Origin;
}

export interface DeviceFlow {
  /** The first step. A read changes nothing. */
  first(request: Request, words: Texts): Promise<FlowStep>;
  /** The next step after the customer's input; declining is handled elsewhere. */
  next(request: Request, context: FlowContext): Promise<FlowStep>;
}
