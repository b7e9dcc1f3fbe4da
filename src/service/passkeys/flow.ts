// The steps of the passkeys page: a passkey ends the request; without one, the phone is proved, and one is created and
// used.

import { hashToken } from '../../platform/secrets/sealing.ts';
import { customerAt, system } from '../core/audit/origin.ts';
import type { Core } from '../core/core.ts';
import type { DeviceFlow, FlowContext, FlowStep } from '../core/device/links.ts';
import { started } from '../core/lifecycle/endings.ts';
import type { Request } from '../core/store/request.ts';
import type { Effect } from '../core/store/undoable.ts';
import type { TextKey, Texts } from '../core/texts.ts';
import { passkeyQuestion } from './app.ts';
import { type GoodAssertion, makeJudgeAssertion } from './assertion.ts';
import type { Ceremony } from './ceremony.ts';
import { answerField, codePage, createPage, type PageInputs, proofPage, readyPage, signInPage } from './pages.ts';
import { type Checking, makePhoneCode } from './phone-code.ts';
import { makePhoneProofs } from './phone-proofs.ts';
import type { Passkeys } from './store.ts';

/** The texts for a code that proves nothing. */
const refusedCodes = {
  dead: 'passkeys.codeDead',
  unlike: 'passkeys.codeUnlike',
  wrong: 'passkeys.codeWrong',
} as const satisfies Record<Exclude<Checking, object>, TextKey>;

/** The last digits, enough to tell one phone from another. */
const masked = (phoneNumber: string) => phoneNumber.slice(-4);

export const makePasskeyFlow = (core: Core, ceremony: Ceremony, passkeys: Passkeys): DeviceFlow => {
  const { accounts, storage, endings, limits, random, clock, log } = core;
  const judge = makeJudgeAssertion(core, passkeys, ceremony);
  const phoneCode = makePhoneCode(core);
  const phoneProofs = makePhoneProofs(storage);

  const inputs = (request: Request, words: Texts): PageInputs => {
    const { account, language } = accounts.of(request.accountId);
    return { words, account, question: passkeyQuestion.parse(request.input), contentLanguage: language };
  };
  const customerOf = ({ accountId, customerRef }: Request) => accounts.of(accountId).customers.find(({ id }) => id === customerRef);
  const passkeysOf = ({ accountId, customerRef }: Request) => passkeys.ofCustomers(accountId, [customerRef]);
  const telling = (words: Texts, key?: TextKey, path = '') => (key === undefined ? [] : [{ path, message: words.t(key) }]);

  const signIn = (request: Request, words: Texts, reason?: TextKey): FlowStep => ({
    page: signInPage(inputs(request, words)),
    errors: telling(words, reason),
  });

  const prove = async (request: Request, words: Texts, reason?: TextKey): Promise<FlowStep> => {
    const customer = customerOf(request);
    // The customer was removed from the catalogue since the send, so no phone can be proved.
    if (!customer) return { ended: 'over' };
    const enrolled = (await passkeysOf(request)).length > 0;
    return { page: proofPage(inputs(request, words), masked(customer.phoneNumber), enrolled), errors: telling(words, reason) };
  };

  const first = async (request: Request, words: Texts) =>
    (await passkeysOf(request)).length > 0 ? signIn(request, words) : prove(request, words);

  const enterCode = (request: Request, words: Texts, phoneNumber: string, reason?: TextKey): FlowStep => {
    const errors = telling(words, reason, 'code');
    return { page: codePage(inputs(request, words), masked(phoneNumber), errors), errors };
  };

  const sendCode = async (request: Request, { words, origin }: FlowContext): Promise<FlowStep> => {
    const customer = customerOf(request);
    if (!customer) return { ended: 'over' };
    const sending = await phoneCode.send(request, customer, origin);
    switch (sending) {
      case 'sent':
        return enterCode(request, words, customer.phoneNumber);
      case 'wait':
        return enterCode(request, words, customer.phoneNumber, 'passkeys.wait');
      case 'blocked':
      case 'unreachable':
        return prove(request, words, `passkeys.${sending}`);
      default:
        return { ended: sending };
    }
  };

  const checkCode = async (request: Request, { words, entered, origin }: FlowContext): Promise<FlowStep> => {
    const customer = customerOf(request);
    if (!customer) return { ended: 'over' };
    const checking = await phoneCode.check(request, customer, entered.code ?? '', origin);
    if (typeof checking === 'object') return { page: createPage(inputs(request, words), checking.proof) };
    return enterCode(request, words, customer.phoneNumber, refusedCodes[checking]);
  };

  /** Records a use, and whether it was refused because the authenticator's counter went back. */
  const counting = ({ passkey, use }: GoodAssertion) => {
    const noting = passkeys.using(passkey.id, use);
    const seen = { copied: false };
    const effect: Effect = async (transaction) => {
      const noted = await noting(transaction);
      seen.copied = !noted;
      return noted;
    };
    return { seen, effect };
  };

  /**
   * Of two authenticators with the same key one is not the customer's, and it is unknown which: neither is trusted any
   * more.
   */
  const alarm = async (request: Request, { passkey }: GoodAssertion, { origin }: FlowContext): Promise<FlowStep> => {
    log.error({ component: 'passkeys', interaction: request.id, code: 'passkey_cloned' }, 'a passkey exists twice; it is revoked');
    const revoking = passkeys.revoking(passkey.id, clock.now());
    if (await endings.byCustomer(request, 'failure', {}, origin, started, revoking)) return { ended: 'failure', reason: 'passkeys.cloned' };
    await storage.apply(request.id, { by: system, action: 'passkey.revoked' }, revoking, clock.now());
    return { ended: 'over' };
  };

  const authenticate = async (request: Request, context: FlowContext): Promise<FlowStep> => {
    const judged = await judge(request, context.entered[answerField], 'authenticate');
    if ('reason' in judged) return signIn(request, context.words, judged.reason);
    const { seen, effect } = counting(judged);
    const fields = { action: 'authentication' };
    if (await endings.byCustomer(request, 'success', fields, context.origin, started, effect)) {
      const customer = customerOf(request);
      if (customer) await phoneCode.forgive(request, customer, context.origin);
      return { ended: 'success' };
    }
    return seen.copied ? alarm(request, judged, context) : { ended: 'over' };
  };

  const proveByPasskey = async (request: Request, context: FlowContext): Promise<FlowStep> => {
    const judged = await judge(request, context.entered[answerField], 'prove');
    if ('reason' in judged) return prove(request, context.words, judged.reason);
    const { seen, effect } = counting(judged);
    const proof = random.token();
    const at = clock.now();
    const proven = phoneProofs.proven({
      requestId: request.id,
      proofHash: hashToken(proof),
      at,
      expiresAt: at + limits.passkeys.proofMs,
    });
    const act = { by: customerAt(context.origin), action: 'phone.proven', facts: { method: 'passkey' } } as const;
    const both: Effect = async (transaction) => {
      const used = await effect(transaction);
      return used && (await proven(transaction)) && used;
    };
    await storage.apply(request.id, act, both, at);
    return seen.copied ? alarm(request, judged, context) : { page: createPage(inputs(request, context.words), proof) };
  };

  const enrol = async (request: Request, { words, entered, origin }: FlowContext): Promise<FlowStep> => {
    const at = clock.now();
    const { id: requestId, accountId, customerRef } = request;
    const proof = entered.proof ?? '';
    const again = (reason: TextKey): FlowStep => ({ page: createPage(inputs(request, words), proof), errors: telling(words, reason) });
    if (!(await phoneProofs.holds(requestId, hashToken(proof), at))) return prove(request, words, 'passkeys.unproven');
    const creation = ceremony.readCreation(entered[answerField]);
    if (!creation) return again('passkeys.script');
    if (!(await passkeys.spend({ challenge: creation.challenge, requestId, purpose: 'enrol' }, at))) return again('passkeys.late');
    const made = await ceremony.verifyCreation(creation);
    if (!made) return again('passkeys.bad');
    const spending = phoneProofs.spending(requestId, hashToken(proof), at);
    const adding = passkeys.adding({ account_id: accountId, customer_ref: customerRef }, made, at);
    const effect: Effect = async (transaction) => (await spending(transaction)) && adding(transaction);
    const created = await storage.apply(requestId, { by: customerAt(origin), action: 'passkey.created' }, effect, at);
    return created ? { page: readyPage(inputs(request, words)) } : prove(request, words, 'passkeys.bad');
  };

  return {
    first,
    next: async (request, context) => {
      switch (context.entered.decision) {
        case 'authenticate':
          return authenticate(request, context);
        case 'setup':
          return prove(request, context.words);
        case 'code':
          return sendCode(request, context);
        case 'verify':
          return checkCode(request, context);
        case 'prove':
          return proveByPasskey(request, context);
        case 'enrol':
          return enrol(request, context);
        default:
          return first(request, context.words);
      }
    },
  };
};
