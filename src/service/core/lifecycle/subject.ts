// What a request is about, in a few words for people.
import { erasedRef, type Request } from '../store/request.ts';
import type { Texts } from '../texts.ts';
import { taskOf } from './endings.ts';

/** The title of what its customer was shown; for an app that shows none, what the app is called. */
export const subjectOf = (request: Request, { t }: Texts): string => {
  // Of what was shown to a customer who was erased nothing is left.
  const { title } = request.customerRef === erasedRef ? {} : taskOf(request).shown();
  return typeof title === 'string' ? title : t(`app.${request.app}`);
};
