import { pino, type Logger as Pino } from 'pino';

/** What services log to: fields first, then a sentence. */
export type Logger = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (fields: Record<string, unknown>, message: string) => void>
>;

/** Fields that hold credentials or user content are never written, wherever they stand. */
const REDACTED = ['authorization', 'headers', 'password', 'token', 'sasl', 'principal', 'message.parts', 'artifact'];

/** JSON lines on standard error, redacted. A part of Holdfast names itself by `child({ service })`. */
export const createLogger = (level: 'debug' | 'info' | 'warn' | 'error'): Pino =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: REDACTED.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    },
    pino.destination({ dest: 2, sync: true }),
  );

/** For a client library that retries what it logs: its words are worth reading only when something is wrong for good. */
export const clientLogger = (logger: Logger): Logger => ({
  debug: (fields, message) => {
    logger.debug(fields, message);
  },
  info: (fields, message) => {
    logger.debug(fields, message);
  },
  warn: (fields, message) => {
    logger.debug(fields, message);
  },
  error: (fields, message) => {
    logger.error(fields, message);
  },
});
