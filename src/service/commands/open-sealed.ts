// Opens the answers of a zero-knowledge form with the account's private key, away from the service.
import { compactDecrypt, importJWK, type JWK } from 'jose';
import { z } from 'zod';
import { type FormAnswer, type ResultRecord, resultRecord } from '../../contract/index.ts';
import { sealing } from '../e-form/sealed-answers.ts';

const sealedText = z.object({
  requestId: z.string(),
  formId: z.string(),
  answers: z.array(z.object({ type: z.string(), key: z.string(), value: z.unknown() })),
});

/** Why a result gives no answers. */
export type SealedFault =
  /** Not a result of a zero-knowledge form with answers. */
  | 'no_sealed_answers'
  /** Encrypted for another key, or changed since. */
  | 'not_for_this_key'
  /** The answers of another request, put into this one's result. */
  | 'of_another_request';

/**
 * The answers in a result record, or why there are none. The record's own request id is not trusted: the encrypted
 * part contains it too, and only the customer's page could write that.
 */
export const openSealed = async (
  record: unknown,
  privateKey: JWK,
): Promise<
  { readonly requestId: string; readonly formId: string; readonly answers: readonly FormAnswer[] } | { readonly fault: SealedFault }
> => {
  const sealed = sealedIn(resultRecord.safeParse(record).data);
  if (!sealed) return { fault: 'no_sealed_answers' };
  const opened = sealedText.safeParse(await plaintextOf(sealed.value, privateKey)).data;
  if (!opened) return { fault: 'not_for_this_key' };
  return opened.requestId === sealed.requestId ? opened : { fault: 'of_another_request' };
};

const sealedIn = (record: ResultRecord | undefined) => {
  if (record?.app !== 'e-form' || record.zeroKnowledge !== true) return undefined;
  const [item] = record.data ?? [];
  return item?.type === 'jwe' && typeof item.value === 'string' ? { value: item.value, requestId: record.id } : undefined;
};

const plaintextOf = async (token: string, privateKey: JWK): Promise<unknown> => {
  try {
    const { alg, enc } = sealing;
    const key = await importJWK(privateKey, alg);
    const { plaintext } = await compactDecrypt(token, key, { keyManagementAlgorithms: [alg], contentEncryptionAlgorithms: [enc] });
    return JSON.parse(new TextDecoder().decode(plaintext));
  } catch {
    // Every fault here means the same: this key does not open it.
    return undefined;
  }
};
