// Colours as numbers, and how readable one is on another (WCAG 2.2, success criterion 1.4.3).

/** A colour as `#rrggbb`. */
export type Colour = string;

const channels = (colour: Colour): readonly [number, number, number] => {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
};

/** WCAG 2.2, relative luminance: 0 for black, 1 for white. */
const luminance = (colour: Colour): number => {
  const [red, green, blue] = channels(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** WCAG 2.2, contrast ratio: 1 for a colour on itself, up to 21. */
export const contrast = (one: Colour, other: Colour): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

/** A share (0 to 1) of one colour mixed into another. */
export const mix = (colour: Colour, share: number, into: Colour): Colour => {
  const base = channels(into);
  const mixed = channels(colour).map((channel, index) => Math.round(channel * share + (base[index] ?? 0) * (1 - share)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
};

/** Whichever of the two has more contrast with a colour. */
export const further = (from: Colour, one: Colour, other: Colour): Colour => (contrast(from, one) >= contrast(from, other) ? one : other);
