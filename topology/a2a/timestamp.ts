const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** Days from 1970-01-01 in the proleptic Gregorian calendar; years are counted from March, so that a leap day is last. */
const daysFromEpoch = (year: number, month: number, day: number): number => {
  const y = month > 2 ? year : year - 1;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468;
};

/**
 * Milliseconds since the epoch of an RFC 3339 timestamp; finer digits are cut off (Python writes microseconds).
 * `undefined` for anything else, also for a time without a zone: it names no instant. Data, never order (R16). The
 * parser is our own because `Date` accepts what is no timestamp and differs between engines.
 */
export const readTimestamp = (value: unknown): number | undefined => {
  const match = typeof value === 'string' ? RFC3339.exec(value) : null;
  if (match === null) return undefined;
  const part = (group: number): number => Number(match[group] ?? '0');
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const [zoneHour, zoneMinute] = [part(9), part(10)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // Second 60 is a leap second, which RFC 3339 allows.
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return undefined;
  const millis = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const zone = (zoneHour * 60 + zoneMinute) * (match[8] === '-' ? -1 : 1);
  return ((daysFromEpoch(year, month, day) * 24 + hour) * 60 + minute - zone) * 60_000 + second * 1000 + millis;
};
