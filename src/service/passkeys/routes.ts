// The routes for the script of the passkeys page: start a ceremony, or report that one was abandoned.

import { z } from 'zod';
import { HttpProblem } from '../../platform/http/http-problem.ts';
import type { Handler } from '../../platform/http/http-server.ts';
import { hashToken } from '../../platform/secrets/sealing.ts';
import { customerAt, originOf } from '../core/audit/origin.ts';
import type { Core } from '../core/core.ts';
import { refuseForeign } from '../core/device/opening.ts';
import { invalid } from '../core/issues.ts';
import { started } from '../core/lifecycle/endings.ts';
import type { Request } from '../core/store/request.ts';
import { canBeEnded } from '../core/test-numbers.ts';
import type { Ceremony } from './ceremony.ts';
import { makePhoneProofs } from './phone-proofs.ts';
import type { Passkeys, Purpose } from './store.ts';

const purposes = ['authenticate', 'prove', 'enrol'] as const satisfies Purpose[];
const wanted = z.object({ purpose: z.enum(purposes), proof: z.string().max(200).optional() });
const givenUp = z.object({ challenge: z.string().regex(/^[A-Za-z0-9_-]{16,200}$/) });
const bodyLimits = { size: 4096, depth: 4 };

export const addPasskeyRoutes = (core: Core, ceremony: Ceremony, passkeys: Passkeys) => {
  const { server, open, note, accounts, publicUrl, random, clock } = core;
  const limits = core.limits.passkeys;
  const phoneProofs = makePhoneProofs(core.storage);

  const optionsFor = async (request: Request, purpose: Purpose, challenge: string) => {
    if (purpose !== 'enrol') return ceremony.requestOptions(challenge);
    const { account, customers } = accounts.of(request.accountId);
    const customer = customers.find(({ id }) => id === request.customerRef);
    if (!customer) throw notOpen();
    const { accountId, customerRef } = request;
    const handle = await passkeys.handleOf(accountId, customerRef, random.handle());
    const existing = await passkeys.ofCustomers(accountId, [customerRef]);
    return ceremony.creationOptions(
      { party: account.name, handle: handle ?? '', account: customer.email, name: customer.name },
      challenge,
      existing,
    );
  };

  const begin: Handler = async (call) => {
    refuseForeign(call, publicUrl());
    const { success, data } = wanted.safeParse(call.body);
    if (!success) throw invalid([{ path: 'purpose', message: `must be one of: ${purposes.join(', ')}` }]);
    const found = await open(call);
    if ('gone' in found || found.request.app !== 'passkeys' || !canBeEnded(found.request.behaviour)) throw notOpen();
    const { request } = found;
    const { purpose, proof = '' } = data;
    const at = clock.now();
    // The link alone never creates a passkey.
    if (purpose === 'enrol' && !(await phoneProofs.holds(request.id, hashToken(proof), at))) {
      throw new HttpProblem(403, 'not_proven', 'The phone has to be proven before a passkey is made.');
    }
    const challenge = random.token();
    // A little longer than the device's limit, to allow for the network.
    const expiresAt = at + limits.ceremonyMs + 10_000;
    const beginning = { expiresAt, at, by: customerAt(originOf(call)) };
    if (!(await passkeys.begin({ challenge, requestId: request.id, purpose }, beginning, limits.ceremonies))) {
      throw new HttpProblem(429, 'too_many_ceremonies', 'This request has been tried too often.');
    }
    const body = await optionsFor(request, purpose, challenge);
    // The page has said what the device is about to ask for, and the customer has pressed the button.
    await note(request, [...started, 'biometrics.consent'], call);
    return { status: 200, body };
  };

  const giveUp: Handler = async (call) => {
    refuseForeign(call, publicUrl());
    const { success, data } = givenUp.safeParse(call.body);
    if (!success) throw invalid([{ path: 'challenge', message: 'is required' }]);
    const found = await open(call);
    if ('gone' in found) throw notOpen();
    const { id: requestId } = found.request;
    // Spending the challenge keeps this to one event per ceremony.
    for (const purpose of purposes) {
      if (await passkeys.spend({ challenge: data.challenge, requestId, purpose }, clock.now())) {
        await note(found.request, ['webauthn.timeout_or_cancelled'], call, 'again');
      }
    }
    return { status: 204 };
  };

  server.route('POST', '/r/:token/passkey', begin, { limits: bodyLimits });
  server.route('POST', '/r/:token/passkey/given-up', giveUp, { limits: bodyLimits });
};

const notOpen = () => new HttpProblem(404, 'not_found', 'There is no open request behind this link.');
