import { InvalidArgumentError } from 'commander';

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AGO = /^(\d+)([smhd])$/;
const ISO = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/;

/** A time on the command line as ms since the epoch: ISO 8601, or how long ago. @throws InvalidArgumentError */
export const timeOption = (text: string): number => {
  const [, count, unit = ''] = AGO.exec(text) ?? [];
  const ago = UNITS_MS[unit];
  const isAgo = count !== undefined && ago !== undefined;
  const time = isAgo ? Date.now() - Number(count) * ago : ISO.test(text) ? Date.parse(text) : NaN;
  // Kafka knows no times before 1970, and has its own meaning for negative ones.
  if (!(time >= 0))
    throw new InvalidArgumentError(
      'must be ISO 8601 (2026-03-01T12:00:00Z), or so long ago (30m), and not before 1970',
    );
  return time;
};
