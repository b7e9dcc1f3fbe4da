// The result record of a finished request, as the interface returns it, and its subject.
import type { ServiceApps, TaskOf } from '../app.ts';
import { erasedRef, type Request } from '../store/request.ts';
import type { Texts } from '../texts.ts';

/** The record with its expiring links, which are made anew each time; `undefined` while there is none. */
export const resultOf = (apps: ServiceApps, request: Request): object | undefined => {
  if (typeof request.result !== 'object' || request.result === null) return undefined;
  return { ...request.result, ...(request.state === 'success' && apps[request.app].links?.(request)) };
};

/** The title that the customer saw, or the app's name if it shows none. */
export const subjectOf = (taskOf: TaskOf, request: Request, { t }: Texts): string => {
  // For an erased customer nothing is left.
  const { title } = request.customerRef === erasedRef ? {} : taskOf(request).shown();
  return typeof title === 'string' ? title : t(`app.${request.app}`);
};
