import { HoldfastError } from '../errors.js';
import type { HoldfastConfig } from './config.js';

type Deep<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[] ? T[K] : T[K] extends object ? Deep<T[K]> : T[K];
};
/** What a source (file, environment, flags) says; the rest comes from the sources below it. */
export type PartialConfig = Deep<HoldfastConfig>;

/** Names a setting: `['agents', 0, 'cardUrl']`. */
export type SettingPath = readonly (string | number)[];

/** Something wrong, and where: `holdfast.yaml:3`, `HOLDFAST_KAFKA_TLS`, `--brokers`. */
export type Fault = { readonly place: string; readonly text: string };

export type ConfigSource = {
  readonly values: PartialConfig;
  readonly faults: readonly Fault[];
  /** Where it says this setting, or the nearest one around it. */
  readonly placeOf: (path: SettingPath) => string;
};

/** The configuration cannot be used. One line for each fault, with its place. */
export class ConfigError extends HoldfastError {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ place, text }) => `${place}: ${text}`).join('\n'), {
      code: 'HOLDFAST_CONFIG_INVALID',
      retryable: false,
    });
    this.faults = faults;
  }
}

/** As it is written in messages: `agents[0].cardUrl`. */
export const pathText = (path: SettingPath): string =>
  path.reduce<string>(
    (before, part) => (typeof part === 'number' ? `${before}[${part}]` : before === '' ? part : `${before}.${part}`),
    '',
  );

export type Plain = Readonly<Record<string, unknown>>;

export const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands there, `undefined` where nothing does. */
export const valueAt = (value: unknown, path: SettingPath): unknown =>
  path.reduce<unknown>((at, part) => (typeof at === 'object' && at !== null ? (at as Plain)[part] : undefined), value);
