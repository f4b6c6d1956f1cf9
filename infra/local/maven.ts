import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '../errors.js';
import { requireMaven } from './java-tools.js';
import type { OnProgress } from './progress.js';
import { runCommand } from './run-command.js';

export type MavenCoordinates = { readonly group: string; readonly artifact: string; readonly version: string };

const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin';
const COPY_DEPENDENCIES = `${PLUGIN}:3.8.1:copy-dependencies`;
// The last line of the plugin that copies a file without reading its pom: the registry's names a parent that was
// never published, and newer versions of the goal fail over it.
const COPY = `${PLUGIN}:2.10:copy`;

/**
 * Copies the artifacts and all they depend on into `target`. Works in `directory`, where it leaves a pom.
 * @throws HoldfastError `HOLDFAST_BACKEND_MAVEN_MISSING`, or `HOLDFAST_BACKEND_FETCH_FAILED` (retryable).
 */
export async function fetchWithDependencies(
  directory: string,
  target: string,
  artifacts: readonly MavenCoordinates[],
  onProgress: OnProgress,
): Promise<void> {
  await maven(directory, artifacts, report(onProgress, 'fetching Kafka with Maven'), [
    COPY_DEPENDENCIES,
    '-DincludeScope=runtime',
    `-DoutputDirectory=${target}`,
  ]);
}

/**
 * Copies one packaged file (`tar.gz`, classifier `all`) of an artifact into `target`, without its dependencies.
 * @throws HoldfastError `HOLDFAST_BACKEND_MAVEN_MISSING`, or `HOLDFAST_BACKEND_FETCH_FAILED` (retryable).
 */
export async function fetchDistribution(
  directory: string,
  target: string,
  { group, artifact, version }: MavenCoordinates,
  onProgress: OnProgress,
): Promise<void> {
  await maven(directory, [], report(onProgress, 'fetching the schema registry with Maven'), [
    COPY,
    `-Dartifact=${group}:${artifact}:${version}:tar.gz:all`,
    `-DoutputDirectory=${target}`,
  ]);
}

async function maven(
  directory: string,
  artifacts: readonly MavenCoordinates[],
  onOutput: (chunk: string) => void,
  args: readonly string[],
): Promise<void> {
  const mvn = await requireMaven();
  const pom = join(directory, 'pom.xml');
  await writeFile(pom, pomOf(artifacts));
  // -U: Maven remembers a failure for a day; whoever was offline once need not wait that long.
  const { code, output } = await runCommand([mvn, '-U', '-Dstyle.color=never', '-f', pom, ...args], {
    cwd: directory,
    onOutput,
  });
  if (code === 0) return;
  const lines = output.split(/[\r\n]+/).filter((line) => line.trim() !== '');
  const errors = lines.filter((line) => /^\[ERROR\] (?!To see|Re-run|For more|\[Help)\S/.test(line));
  throw new HoldfastError(
    `Maven could not fetch the local backend; it needs the network the first time, later the cache serves.\n` +
      (errors.length > 0 ? errors : lines.slice(-10)).join('\n'),
    { code: 'HOLDFAST_BACKEND_FETCH_FAILED', retryable: true },
  );
}

/** Maven redraws one line: "Progress (2): 1.2/104 MB | 3.4/8.0 kB". The last of a chunk is the newest. */
function report(onProgress: OnProgress, stage: string): (chunk: string) => void {
  let files = 0;
  onProgress(stage);
  return (chunk) => {
    files += chunk.split('Downloaded from').length - 1;
    const sizes = /Progress \(\d+\): ([^\r\n]*)/.exec(chunk.slice(chunk.lastIndexOf('Progress (')))?.[1]?.trim();
    if (sizes !== undefined && sizes !== '') onProgress(stage, `${files} files, ${sizes}`);
  };
}

function pomOf(artifacts: readonly MavenCoordinates[]): string {
  const dependencies = artifacts.map(
    ({ group, artifact, version }) =>
      `    <dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  );
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0">',
    '  <modelVersion>4.0.0</modelVersion>',
    '  <groupId>holdfast</groupId><artifactId>local-backend</artifactId><version>1</version><packaging>pom</packaging>',
    '  <dependencies>',
    ...dependencies,
    '  </dependencies>',
    '</project>',
    '',
  ].join('\n');
}
