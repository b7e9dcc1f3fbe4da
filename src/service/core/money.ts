// Amounts of money as whole minor units, read from decimals without floating-point numbers.

const withDecimals = (decimals: number, codes: string) => Object.fromEntries(codes.split(' ').map((code) => [code, decimals]));

/**
 * Currencies whose ISO 4217 minor units are not two. Intl follows CLDR, which describes how amounts are usually
 * written, not what can be charged (HUF, AFN).
 */
const exponents: Readonly<Record<string, number>> = {
  ...withDecimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...withDecimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...withDecimals(4, 'CLF UYW'),
};

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** How many decimals a currency has by ISO 4217; `undefined` for an unknown code. */
export const decimalsOf = (currency: string): number | undefined => (currencies.has(currency) ? (exponents[currency] ?? 2) : undefined);

/** An amount in minor units of its currency, as ISO 4217 counts them: 5990 for €59.90, 1200 for ¥1200. */
export type Money = { readonly minor: bigint; readonly currency: string };

/** A plain decimal as whole units of `10^-decimals`; `undefined` if it is not one, or has more decimals than that. */
export const unitsOf = (decimal: string, decimals: number): bigint | undefined => {
  const match = /^(\d{1,15})(?:\.(\d{1,10}))?$/.exec(decimal);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  // Trailing zeros do not count: 1.50 yen is wrong, 1.00 yen is one yen.
  const digits = fraction.slice(0, decimals).padEnd(decimals, '0');
  return /^0*$/.test(fraction.slice(decimals)) ? BigInt(whole + digits) : undefined;
};

/** Units of `10^-decimals` as a plain decimal with all its decimals: `59.90`. */
export const decimalOf = (units: bigint, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** An amount as a plain decimal with all decimals of its currency: `59.90`. */
export const plainAmount = ({ minor, currency }: Money): string => decimalOf(minor, decimalsOf(currency) ?? 2);

/** An amount as the interface carries it: a number of major units. */
export const majorOf = (money: Money): number => Number(plainAmount(money));
