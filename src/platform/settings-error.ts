// What stops a process before it starts.

/** Exit code for a wrong configuration (EX_CONFIG of sysexits.h). */
export const exitConfig = 78;

/** The configuration cannot be used. Each line names a setting or a resource and says what to do, in words for an operator. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly lines: readonly string[];
  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
    this.lines = lines;
  }
}
