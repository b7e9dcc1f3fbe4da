// The subject of a request, in a few words.
import { erasedRef, type Request } from '../store/request.ts';
import type { Texts } from '../texts.ts';
import { taskOf } from './endings.ts';

/** The title that the customer saw, or the app's name if it shows none. */
export const subjectOf = (request: Request, { t }: Texts): string => {
  // For an erased customer nothing is left.
  const { title } = request.customerRef === erasedRef ? {} : taskOf(request).shown();
  return typeof title === 'string' ? title : t(`app.${request.app}`);
};
