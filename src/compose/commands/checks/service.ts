// Does the service answer and accept our key, are its results where they should be, and do its clock and ours agree?
import { ulid } from 'ulid';
import { type Finding, ok, unknown, wrong } from '../../../platform/process/finding.ts';
import type { Probe, ProbeAnswer, Silent } from './probe.ts';

/** A difference above this (milliseconds) is reported. A `Date` header counts whole seconds. */
const tolerated = 30_000;

const faults: Readonly<Record<string, string>> = {
  connect: 'nothing answers there. Is the service running, and is SERVICE_BASE_URL its address? A firewall may also be in the way.',
  dns: 'its name cannot be resolved. Check the host in SERVICE_BASE_URL and this machine’s name server.',
  tls: 'its certificate is not trusted. Check the host in SERVICE_BASE_URL; for a certificate of your own authority set NODE_EXTRA_CA_CERTS.',
  timeout: 'it accepted the connection but did not answer in time. Check the service, and any proxy between it and this machine.',
  reset: 'the connection broke before an answer came. A proxy, or http instead of https in SERVICE_BASE_URL, does that.',
  http: 'what answers there does not speak HTTP. Check the port and http or https in SERVICE_BASE_URL.',
};

/** Asks for the result of a request that cannot exist: one answer that shows a lot. */
export const askForNothing = (probe: Probe): Promise<ProbeAnswer | Silent> => probe({ method: 'GET', path: `/results/${ulid()}` });

/**
 * @param host - shown as it is
 * @param own - whether it is the built-in service
 */
export const checkReachable = (answer: ProbeAnswer | Silent, host: string, own: boolean): Finding => {
  if (!('fault' in answer)) return ok(`${host} answers.`);
  if (own && answer.fault === 'connect') {
    return wrong(`${host}: the built-in service is not running. Start it with npm start, or set SERVICE_BASE_URL to another.`);
  }
  return wrong(`${host}: ${faults[answer.fault] ?? `no answer (${answer.fault}).`}`);
};

export const checkKey = ({ status, page, json }: ProbeAnswer): Finding => {
  if (status === 401)
    return wrong('the service refuses the key (401). Set SERVICE_SECRET_KEY to the one in the account’s developer settings.');
  if (status === 403) return wrong('the service knows the key but does not authorize it (403). Ask its operator what the account may do.');
  if (page || json === undefined || status >= 500) return unknown('cannot be checked until the results endpoint answers properly.');
  return ok('the service accepts it.');
};

export const checkResults = ({ status, headers, page, json }: ProbeAnswer): Finding => {
  if (status === 401 || status === 403) return unknown('cannot be checked before the key is accepted.');
  if (status === 404 && page) {
    return wrong(
      'a web page answers instead of the interface (404 as HTML). The path in SERVICE_BASE_URL is probably wrong or incomplete.',
    );
  }
  if (status === 404 && json !== undefined) return ok('an unfinished request gets a 404, as expected.');
  if (status === 404) return unknown('answered with 404 but without JSON: this may be the service, or a wrong path in SERVICE_BASE_URL.');
  if (status === 429) return unknown('the service asks for fewer requests (429). Try again later.');
  if (status >= 500) return wrong(`the service fails (${status}). Outcomes cannot be read until its operator has fixed that.`);
  if (status >= 400) return wrong(`the service refuses to return results (${status}). Check the path in SERVICE_BASE_URL.`);
  if (status >= 300) return wrong(`the service redirects${towards(headers.location)}. Set SERVICE_BASE_URL to its final address.`);
  return wrong(`a request that does not exist has a result (${status}). Whatever answers there is not the service.`);
};

const towards = (location: string | undefined) => {
  const target = URL.parse(location ?? '');
  return target && target.origin !== 'null' ? ` to ${target.origin}` : '';
};

export const checkClock = ({ headers, at }: ProbeAnswer): Finding => {
  const theirs = Date.parse(headers.date ?? '');
  if (Number.isNaN(theirs)) return unknown('the service does not send its time (no Date header).');
  const ahead = at - theirs;
  if (Math.abs(ahead) <= tolerated) return ok('this machine’s clock and the service’s agree.');
  const seconds = Math.round(Math.abs(ahead) / 1000);
  const apart = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return wrong(
    `this machine’s clock is ${apart} ${ahead > 0 ? 'ahead of' : 'behind'} the service’s. Synchronize both with a time server (NTP).`,
  );
};
