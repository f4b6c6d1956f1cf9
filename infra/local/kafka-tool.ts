import { kafkaArtifacts } from './artifacts.js';
import { backendCacheDirectory } from './checkout.js';
import { requireJava } from './java-tools.js';
import type { OnProgress } from './progress.js';

export type ToolCommand = { readonly command: string; readonly args: string[] };

/**
 * How to run one of Kafka's own command line tools, for example `org.apache.kafka.tools.TopicCommand` or
 * `org.apache.kafka.tools.consumer.ConsoleConsumer`: `spawn(command, args)`.
 * @throws HoldfastError `HOLDFAST_BACKEND_JAVA_MISSING`, `…_MAVEN_MISSING`, `…_FETCH_FAILED`.
 */
export async function kafkaTool(
  className: string,
  args: readonly string[],
  onProgress: OnProgress = () => undefined,
): Promise<ToolCommand> {
  const java = await requireJava();
  const { classPath, toolLogging } = await kafkaArtifacts({
    java,
    onProgress,
    cacheDirectory: backendCacheDirectory(),
  });
  return {
    command: java,
    args: [
      '-Xmx256m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      '-XX:-UsePerfData',
      `-Dlog4j2.configurationFile=${toolLogging}`,
      '-cp',
      classPath,
      className,
      ...args,
    ],
  };
}
