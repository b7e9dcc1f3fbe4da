// How Stripe counts amounts, which is mostly how ISO 4217 does (docs.stripe.com/currencies, "Zero-decimal currencies"
// and "Special cases").
import { ownValue } from '../../../platform/text/own-value.ts';
import { decimalOf, decimalsOf, type Money, plainAmount, unitsOf } from '../../core/money.ts';

interface Units {
  /** Stripe's units are `10^-decimals`. */
  readonly decimals: number;
  /** Amounts must be multiples of this number of units. */
  readonly multiple: bigint;
}

const whole: Units = { decimals: 0, multiple: 1n };
const usual: Units = { decimals: 2, multiple: 1n };
/**
 * Counted in hundredths that must be zero: for historical reasons (ISK, UGX), or because they could not be paid out
 * (HUF, TWD).
 */
const wholeInHundredths: Units = { decimals: 2, multiple: 100n };
/** Counted in thousandths of which only hundredths can be charged. */
const thousandths: Units = { decimals: 3, multiple: 10n };

const named: Readonly<Record<string, Units>> = {
  ...Object.fromEntries(
    ['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map((code) => [code, whole]),
  ),
  ...Object.fromEntries(['HUF', 'ISK', 'TWD', 'UGX'].map((code) => [code, wholeInHundredths])),
  ...Object.fromEntries(['BHD', 'JOD', 'KWD', 'OMR', 'TND'].map((code) => [code, thousandths])),
};

/** Eight digits: the most that Stripe charges at once in nearly every currency. */
const maxUnits = 99_999_999n;

const unitsIn = (currency: string): Units | undefined => ownValue(named, currency) ?? (decimalsOf(currency) === 2 ? usual : undefined);

/** An amount as Stripe counts it; undefined for one that it cannot charge. */
export const toStripe = ({ minor, currency }: Money): number | undefined => {
  const units = unitsIn(currency);
  const amount = units && unitsOf(plainAmount({ minor, currency }), units.decimals);
  return units && amount !== undefined && amount % units.multiple === 0n && amount <= maxUnits ? Number(amount) : undefined;
};

/** An amount that Stripe tells; undefined for one that is none in the currency's own minor units. */
export const fromStripe = (amount: number, code: string): Money | undefined => {
  const currency = code.toUpperCase();
  const units = unitsIn(currency);
  if (!units || !Number.isSafeInteger(amount) || amount < 0) return undefined;
  const minor = unitsOf(decimalOf(BigInt(amount), units.decimals), decimalsOf(currency) ?? 2);
  return minor === undefined ? undefined : { minor, currency };
};
