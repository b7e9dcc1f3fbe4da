// Fields that several parts of the catalogue share.
import { z } from 'zod';
import { decimalsOf } from '../money.ts';

export const filledText = z.string().trim().min(1, 'must not be empty').max(2000, 'must have 2000 characters at most');
export const documentId = z.guid('must be a UUID').toLowerCase();

export const currency = z.string().refine((code) => decimalsOf(code) !== undefined, 'must be a currency code of ISO 4217, for example EUR');
