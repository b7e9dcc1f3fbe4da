// The one logger: JSON lines with fields from an allow-list, so that personal data has no way in.
import { hash } from 'node:crypto';
import { pino } from 'pino';

/**
 * Every field that a log line may have. Any other is dropped. Add a name only for values that can never be personal
 * data.
 */
const names = [
  ...(['app', 'attempt', 'channel', 'code', 'component', 'conversation', 'count', 'durationMs', 'error', 'errorCode'] as const),
  ...(['event', 'fields', 'interaction', 'method', 'operation', 'outcome', 'phone', 'port', 'reason', 'request', 'route'] as const),
  ...(['setting', 'state', 'status', 'token', 'trace_id', 'where'] as const),
] as const;

export type LogFields = { readonly [Name in (typeof names)[number]]?: string | number | undefined };

const allowed = new Set<string>(names);
const keepAllowed = (fields: Record<string, unknown>) => Object.fromEntries(Object.entries(fields).filter(([name]) => allowed.has(name)));

export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Log;
}

/**
 * A logger that writes JSON lines of the given level and above to `destination` (by default standard error). `traceId`
 * is called for each line, so that lines written within a trace carry its id.
 */
export const makeLog = (
  level: string,
  destination: { write(line: string): void } = pino.destination({ dest: 2, sync: true }),
  traceId?: () => string | undefined,
): Log =>
  pino(
    {
      level,
      base: null,
      ...(traceId && { mixin: () => ({ trace_id: traceId() }) }),
      formatters: {
        level: (label) => ({ level: label }),
        log: keepAllowed,
        bindings: keepAllowed,
      },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );

/**
 * A secret as a log may show it: 8 hexadecimal digits of its SHA-256, enough to match two lines and useless for
 * anything else.
 */
export const fingerprint = (secret: string) => hash('sha256', secret, 'hex').slice(0, 8);

/** Where a fault was thrown: the last folder, file and line of the first frame that has them. */
const frameIn = (stack: string): string | undefined => {
  for (const frame of stack.split('\n')) {
    if (!/^\s+at /.test(frame)) continue;
    const [file, folder] = frame.replace(/\)$/, '').split('/').toReversed();
    if (folder !== undefined && /^[^()]+:\d+:\d+$/.test(file ?? '') && !/[()]/.test(folder)) return `${folder}/${file}`;
  }
  return undefined;
};

/**
 * A fault as a log may show it: its class, its code and where it was thrown. Never its message, which may quote input.
 */
export const faultFields = (fault: unknown): LogFields => {
  if (!(fault instanceof Error)) return { error: typeof fault };
  const code = (fault as { code?: unknown }).code;
  const where = frameIn(fault.stack ?? '');
  return { error: fault.name, ...(typeof code === 'string' && { errorCode: code }), ...(where && { where }) };
};
