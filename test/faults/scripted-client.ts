// A service in this process that does what it is told, as the client the bot is given: requests accepted, refused or of
// unknown fate, finished at will.
import { ulid } from 'ulid';
import { type ServiceClient, ServiceError, TransportError } from '../../src/client/index.ts';
import { type AppId, appIds, type ResultStatus } from '../../src/contract/index.ts';
import { resultSamples } from '../../src/gallery/sample-data.ts';
import { samples } from '../support/service-samples.ts';

/**
 * What the next sends meet. `lost`: accepted, and the answer never arrives. `vanished`: not accepted, and nobody can
 * tell.
 */
export const sendings = ['accepted', 'lost', 'refused', 'unreachable', 'vanished'] as const;
export type Sending = (typeof sendings)[number];

/** A request as the service has it. */
export interface Request {
  readonly id: string;
  readonly app: AppId;
  readonly key: string;
  state: ResultStatus | 'cancelled' | 'pending';
}

export interface ScriptedClient {
  readonly client: ServiceClient;
  readonly requests: Request[];
  sending: Sending;
  /** Whether results can be read and codes checked. */
  answers: boolean;
  /** Whether it can withdraw requests. */
  withdraws: boolean;
}

/** The only code that is right. */
export const rightCode = '123456';

export const makeScriptedClient = (): ScriptedClient => {
  const requests: Request[] = [];
  const silence = (operation: string) => new TransportError(operation, 'timeout', { sent: true });
  const find = (id: string) => requests.find((request) => request.id === id);

  const send =
    (app: AppId) =>
    async (_body: object, { idempotencyKey = '' }: { idempotencyKey?: string } = {}) => {
      const operation = `${app}.send`;
      const known = requests.find(({ key }) => key === idempotencyKey);
      if (script.sending === 'unreachable') throw new TransportError(operation, 'connect', { sent: false });
      if (script.sending === 'refused' && !known) throw new ServiceError(operation, 422);
      if (script.sending === 'vanished') throw silence(operation);
      const request: Request = known ?? { id: ulid(), app, key: idempotencyKey, state: 'pending' };
      if (!known) requests.push(request);
      if (script.sending === 'lost') throw silence(operation);
      return { ...samples[app].sent, requestId: request.id };
    };
  const check = async ({ requestId, code }: { requestId: string; code: string }) => {
    if (!script.answers) throw silence('one-time-passcode.check');
    const request = find(requestId);
    const codeMatch = request?.state === 'pending' && code === rightCode;
    if (request && codeMatch) request.state = 'success';
    return { codeMatch };
  };
  const calls = (app: AppId) => ({
    bootstrap: async () => samples[app].bootstrapped,
    send: send(app),
    ...(app === 'one-time-passcode' && { check }),
  });

  const client = {
    apps: Object.fromEntries(appIds.map((app) => [app, calls(app)])),
    results: {
      get: async (id: string) => {
        if (!script.answers) throw silence('results.get');
        const request = find(id);
        if (!request || request.state === 'pending' || request.state === 'cancelled') return undefined;
        return { ...resultSamples[request.app](request.state), id };
      },
    },
    requests: {
      get: async () => ({ kind: 'unsupported' }),
      cancel: async (id: string) => {
        if (!script.answers) throw silence('requests.cancel');
        const request = find(id);
        if (!request || !script.withdraws) return { kind: 'unsupported' };
        if (request.state !== 'pending' && request.state !== 'cancelled') return { kind: 'already_finished' };
        request.state = 'cancelled';
        return { kind: 'cancelled' };
      },
      resend: async (id: string) => {
        if (!script.answers) throw silence('requests.resend');
        return { kind: find(id)?.state === 'pending' ? 'resent' : 'already_finished' };
      },
    },
    close: async () => {},
  } as unknown as ServiceClient;
  const script: ScriptedClient = { client, requests, sending: 'accepted', answers: true, withdraws: true };
  return script;
};
