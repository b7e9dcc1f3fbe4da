// Do a bootstrap's fields arrive? By the specification they are the body of a GET, which some proxies silently drop.

import { type BootstrapMode, bootstrapEncoding, composeRequest } from '../../../client/index.ts';
import { type AppId, apps } from '../../../contract/index.ts';
import { type Finding, ok, unknown, wrong } from '../../../platform/process/finding.ts';
import type { Probe, ProbeAnswer, Silent } from './probe.ts';

/** From the range reserved for fiction: nobody has it, so the answer reveals nothing about anybody. */
const nobody = '+12025550199';
const nonsense = 'not-a-number';

/** The apps whose bootstrap is a GET with a body, the simplest first. An account need not have all of them. */
const tried: readonly AppId[] = ['e-form', 'payments', 'document-signature', 'one-time-passcode'];
const modes: readonly BootstrapMode[] = ['body', 'query', 'post'];

/**
 * The result of one encoding. `arrives`: a number is accepted and nonsense is refused. `taken`: both are accepted, so
 * it is unclear whether the number arrived. Otherwise the status or the fault.
 */
type Fare = 'arrives' | 'taken' | number | string;

const asked = (probe: Probe, app: AppId, mode: BootstrapMode, phoneNumber: string) =>
  probe(composeRequest(bootstrapEncoding[mode], apps[app].operations.bootstrap.path, { phoneNumber }));

const accepts = (answer: ProbeAnswer | Silent, app: AppId) =>
  'status' in answer &&
  answer.status >= 200 &&
  answer.status < 300 &&
  apps[app].operations.bootstrap.response.safeParse(answer.json).success;

const fareOf = async (probe: Probe, app: AppId, mode: BootstrapMode): Promise<Fare> => {
  const good = await asked(probe, app, mode, nobody);
  if ('fault' in good) return good.fault;
  if (!accepts(good, app)) return good.status < 300 ? 'another shape' : good.status;
  const bad = await asked(probe, app, mode, nonsense);
  return 'status' in bad && bad.status >= 400 && bad.status < 500 && bad.status !== 429 ? 'arrives' : 'taken';
};

const works = (fare: Fare) => fare === 'arrives' || fare === 'taken';

/** Tries the configured encoding and, if it fails, the other two. */
export const checkBootstrap = async (probe: Probe, mode: BootstrapMode): Promise<Finding> => {
  const [app, fare] = await firstOffered(probe, mode);
  if (fare === 'arrives') return ok(`the fields of a lookup arrive (SERVICE_BOOTSTRAP=${mode}).`);
  if (fare === 401 || fare === 403) return unknown(`cannot be checked: the account may not look anybody up (${fare}).`);
  if (fare === 429) return unknown('the service asks for fewer requests (429). Try again later.');

  const others = await Promise.all(
    modes.filter((other) => other !== mode).map(async (other) => [other, await fareOf(probe, app, other)] as const),
  );
  const better = others.find(([, other]) => other === 'arrives') ?? (works(fare) ? undefined : others.find(([, other]) => works(other)));
  if (better) {
    const what = works(fare) ? 'a lookup is answered, but its fields do not arrive' : `a lookup fails (${fare})`;
    return wrong(`${what} with SERVICE_BOOTSTRAP=${mode}. Set SERVICE_BOOTSTRAP=${better[0]}, which works.`);
  }
  if (works(fare)) return unknown('the service gives a number and nonsense the same answer, so it is not clear whether the fields arrive.');
  const all = [[mode, fare] as const, ...others].map(([name, each]) => `${name}: ${each}`).join(', ');
  return wrong(`no kind of look-up works (${all}). Check the path in SERVICE_BASE_URL, and ask the service’s operator.`);
};

/** The first app that the account has, and the result of its bootstrap. */
const firstOffered = async (probe: Probe, mode: BootstrapMode): Promise<readonly [AppId, Fare]> => {
  let last: readonly [AppId, Fare] | undefined;
  for (const app of tried) {
    last = [app, await fareOf(probe, app, mode)];
    if (last[1] !== 403 && last[1] !== 404) return last;
  }
  return last ?? ['e-form', 404];
};
