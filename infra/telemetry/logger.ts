import { pino, type Logger as Pino } from 'pino';

/** What services log to: fields first, then a sentence. */
export type Logger = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>
>;

/** Fields that hold credentials or user content are never written, wherever they stand. */
const REDACTED = ['authorization', 'headers', 'password', 'token', 'sasl', 'principal', 'message.parts', 'artifact'];

/** JSON lines on standard error, redacted. */
export const createLogger = (level: 'debug' | 'info' | 'warn' | 'error', service: string): Pino =>
  pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    pino.destination({ dest: 2, sync: true }),
  );
