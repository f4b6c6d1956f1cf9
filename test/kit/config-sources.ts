import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfigFile } from '../../infra/config/config-file.js';
import type { ConfigError, ConfigSource } from '../../infra/config/config-source.js';
import { settleConfig } from '../../infra/config/read-config.js';

/** Configuration files in a directory of their own, and what is said of them with the directory left out. */
export class ConfigSources {
  readonly directory = mkdtempSync(join(tmpdir(), 'holdfast-config-'));

  file(text: string): string {
    const path = join(this.directory, 'holdfast.yaml');
    writeFileSync(path, text);
    return path;
  }

  yaml(...lines: readonly string[]): ConfigSource {
    return readConfigFile(this.file(lines.join('\n')));
  }

  /** Every fault of the sources together. */
  faultsOf(...sources: readonly ConfigSource[]): readonly string[] {
    try {
      settleConfig(sources);
      return [];
    } catch (error) {
      return this.relative((error as ConfigError).message).split('\n');
    }
  }

  relative(text: string): string {
    return text.replaceAll(`${this.directory}/`, '');
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
