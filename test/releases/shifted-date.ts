// Loaded into a program that is recorded: its clock is behind by this many milliseconds.
const behind = Number(process.env.DATE_BEHIND);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given: [number?]) {
    super(...((given.length === 0 ? [Real.now() - behind] : given) as [number]));
  }
  static override now = () => Real.now() - behind;
} as DateConstructor;
