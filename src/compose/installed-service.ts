// The reference service, where it is part of this install: the only place that imports it, so that a bundle of the
// connector leaves it out.
import { SettingsError } from '../platform/settings/settings-error.ts';

/** The reference service's doorway. */
type ServiceModule = typeof import('../service/index.ts');

/** Loads the reference service, and nothing of it before; `undefined` if it is not part of this install. */
export const findService = (): Promise<ServiceModule | undefined> =>
  import('../service/index.ts').catch((fault: NodeJS.ErrnoException) => {
    // The missing module may also be a dependency of the service.
    if (isMissing(fault) && !isInstalled()) return undefined;
    throw fault;
  });

/** A script of a package requires where a module imports. */
const isMissing = ({ code }: NodeJS.ErrnoException) => code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';

const isInstalled = () => {
  try {
    return import.meta.resolve('countersign-service') !== '';
  } catch (fault) {
    if (isMissing(fault as NodeJS.ErrnoException)) return false;
    throw fault;
  }
};

/** Loads it if no other service is configured. @throws {SettingsError} if it is not part of this install. */
export const loadService = async (): Promise<ServiceModule> => {
  const service = await findService();
  if (service) return service;
  throw new SettingsError([
    'SERVICE_BASE_URL: must be set: the reference service is not part of this install. The package countersign-service has it.',
  ]);
};
