// A device page of several steps, for an app whose customers do more than fill in one form.
import type { FieldError } from '../../../platform/http-problem.ts';
import type { PageParts } from '../apps/app.ts';
import type { Request } from '../store/request.ts';
import type { TextKey, Texts } from '../texts.ts';
import type { Origin } from '../trail/origin.ts';

/** What a customer sees next: a step of the page, or that it is over. */
export type FlowStep =
  | { readonly page: PageParts; readonly errors?: readonly FieldError[] }
  /** `over`: by something else in this moment. `reason` says why it failed, where the customer has not declined. */
  | { readonly ended: 'failure' | 'over'; readonly reason?: TextKey }
  /** `next`: what is left to do, where that is not all. */
  | { readonly ended: 'success'; readonly next?: TextKey };

export interface FlowContext {
  readonly words: Texts;
  readonly entered: Readonly<Record<string, string>>;
  readonly origin: Origin;
}

export interface DeviceFlow {
  /** The first step. Looking changes nothing. */
  first(request: Request, words: Texts): Promise<FlowStep>;
  /** What follows from what the customer did; declining is not among it. */
  next(request: Request, context: FlowContext): Promise<FlowStep>;
}
