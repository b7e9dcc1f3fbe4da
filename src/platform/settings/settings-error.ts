// A configuration that keeps a process from starting.

/** Exit code for a wrong configuration (EX_CONFIG of sysexits.h). */
export const exitConfig = 78;

/** Exit code for something that is not there yet, so that a supervisor tries again (EX_TEMPFAIL). */
export const exitTemporary = 75;

/**
 * The configuration cannot be used. Each line names a setting or a resource and says what to do, in words for an
 * operator.
 */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly lines: readonly string[];
  /** What the process exits with. */
  readonly exitCode: number;

  /** By name rather than by class: in an install, the bot and the service each have their own class of this name. */
  static override [Symbol.hasInstance](fault: unknown): fault is SettingsError {
    return fault instanceof Error && fault.name === 'SettingsError' && Array.isArray((fault as Partial<SettingsError>).lines);
  }

  constructor(lines: readonly string[], { exitCode = exitConfig, ...options }: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(lines.join('\n'), options);
    this.lines = lines;
    this.exitCode = exitCode;
  }
}
