import type { HoldfastConfig } from './config.js';
import { configFindings } from './config-rules.js';
import {
  ConfigError,
  isPlain,
  valueAt,
  type ConfigSource,
  type Fault,
  type PartialConfig,
  type Plain,
  type SettingPath,
} from './config-source.js';
import { DEFAULT_CONFIG } from './default-config.js';

export type SettledConfig = {
  readonly config: HoldfastConfig;
  /** What works, but is hardly meant. */
  readonly warnings: readonly Fault[];
  /** Where the setting's value is said; `default` where nobody says it. */
  readonly placeOf: (path: SettingPath) => string;
};

const DEFAULT = 'default';

/** Lays sources over the defaults, the last one on top. @throws ConfigError with every fault there is */
export const settleConfig = (sources: readonly ConfigSource[]): SettledConfig => {
  const faults = sources.flatMap((source) => source.faults);
  if (faults.length > 0) throw new ConfigError(faults);
  const config = resolveConfig(...sources.map(({ values }) => values));
  const placeOf = (path: SettingPath): string =>
    sources.findLast(({ values }) => valueAt(values, path) !== undefined)?.placeOf(path) ?? DEFAULT;
  const findings = configFindings(config).map(({ path, text, severity }) => ({
    severity,
    fault: { place: placeOf(path), text },
  }));
  const errors = findings.filter(({ severity }) => severity === 'error').map(({ fault }) => fault);
  if (errors.length > 0) throw new ConfigError(errors);
  return { config, warnings: findings.map(({ fault }) => fault), placeOf };
};

/** Values over the defaults, the last ones on top; they are taken to be valid. */
export const resolveConfig = (...sources: readonly PartialConfig[]): HoldfastConfig =>
  // Each source was validated against the schema, so laying them over complete defaults gives a complete configuration.
  sources.reduce<Plain>((below, above) => merge(below, above), DEFAULT_CONFIG) as HoldfastConfig;

const merge = (below: Plain, above: Plain): Plain => {
  const merged: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const held = merged[key];
    merged[key] = isPlain(held) && isPlain(value) ? merge(held, value) : value;
  }
  return merged;
};
