// The result record of a finished request, as the interface returns it.
import { serviceApps } from '../../apps.ts';
import type { Request } from '../store/request.ts';

/** The record with its expiring links, which are made anew each time; `undefined` while there is none. */
export const resultOf = (request: Request, documentUrl: (requestId: string) => string): object | undefined => {
  if (typeof request.result !== 'object' || request.result === null) return undefined;
  return { ...request.result, ...(request.state === 'success' && serviceApps[request.app].links?.(request, { documentUrl })) };
};
