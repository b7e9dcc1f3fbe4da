// Names made for programs, as people would write them.

/** `contract_start`, `contractStart` and `contract-start` as `Contract start`; abbreviations keep their capitals (`customer ID`). */
export const humanise = (name: string) => {
  const words = name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.\-/]+/u)
    .filter((word) => word !== '')
    .map((word) => (/^\p{Lu}[\p{Lu}\d]+$/u.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text === '' ? name : text.charAt(0).toUpperCase() + text.slice(1);
};
