// What nobody expected to fail, on the side of the harness: told at once, since it would look like the bot's fault
// later.

/** Tells a fault of the harness's own on standard error. */
export const logUnexpected = (who: string) => (fault: unknown) => {
  console.error(`${who} failed:`, fault);
};
