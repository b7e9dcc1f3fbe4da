// Reads a person from an OpenID provider's claims: their role here, and their name.
import type { OpenIdClient } from '../../platform/settings/openid.ts';

/** Claims as they arrive: any JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/** Each role with the claim's values that grant it, the highest role first. */
export type Ranks<Role extends string = string> = readonly (readonly [role: Role, values: readonly string[]])[];

/** The role that the claims grant: the first that has a value in the claim. `undefined`: none. */
export const roleIn = <Role extends string>(claims: Claims, roleClaim: string, ranks: Ranks<Role>): Role | undefined => {
  const values = valuesOf(claims, roleClaim);
  return ranks.find(([, named]) => values.some((value) => named.includes(value)))?.[0];
};

/** Whether the claims contain roles and a name; otherwise the provider has to be asked for more. */
export const isTelling = (claims: Claims, { roleClaim }: Pick<OpenIdClient, 'roleClaim'>): boolean =>
  valuesOf(claims, roleClaim).length > 0 && readable(claims) !== undefined;

/**
 * A person's names in logs and trails. `person` is for people: an address or a name, if the provider gives one, and the
 * subject, which alone is certain. `subject` is for audit trails, which accounts receive and keep for long: it means
 * nothing to strangers.
 * @param claims - with a subject, which openid-client has checked
 */
export const personIn = (claims: Claims): { readonly person: string; readonly subject: string } => {
  const subject = plain(claims.sub, longestSubject) ?? '';
  const name = readable(claims);
  return { subject, person: name === undefined || name === subject ? subject : `${name} (${subject})` };
};

/** A subject has 255 characters at most (OpenID Connect Core, section 2). */
const longestSubject = 255;
const longestName = 100;

/** The address, in lower case, if the provider says that it has verified it: anybody may have typed in any other. */
export const verifiedEmail = ({ email, email_verified }: Claims): string | undefined =>
  email_verified === true && typeof email === 'string' && /^[\x21-\x7e]{3,320}$/.test(email) ? email.toLowerCase() : undefined;

/** A name of somebody for people to read. One that looks like an address would pass for a verified one. */
export const nameIn = (claims: Claims, names: readonly string[], longest = longestName): string | undefined => {
  for (const claim of names) {
    const name = plain(claims[claim], longest);
    if (name !== undefined && !name.normalize('NFKC').includes('@')) return name;
  }
  return undefined;
};

const readable = (claims: Claims): string | undefined => verifiedEmail(claims) ?? nameIn(claims, ['preferred_username', 'name']);

/** One line of visible text, without characters that could reverse the rest of a line or begin another. */
const plain = (value: unknown, longest: number): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const line = value.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return line === '' ? undefined : [...line].slice(0, longest).join('');
};

/** The strings of a claim. A claim's name may itself contain dots, for example if it is an address. */
const valuesOf = (claims: Claims, path: string): readonly string[] => {
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split('.').reduce<unknown>(into, claims);
  return (Array.isArray(found) ? found : [found]).filter((value): value is string => typeof value === 'string');
};

const into = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined;
