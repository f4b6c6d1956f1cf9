/**
 * Java command line for a short-lived local server: the serial collector and the first compiler tier start fastest and
 * take least of a small machine. Temporary files go into the backend's directory, which is removed with it.
 */
export function jvmCommand(options: {
  readonly java: string;
  readonly heapMiB: number;
  /** Absolute path of an existing directory. */
  readonly temporary: string;
  /** Found in the list of processes, to recognise the process later. */
  readonly token: string;
  readonly args: readonly string[];
}): readonly string[] {
  return [
    options.java,
    `-Xmx${options.heapMiB}m`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-XX:-UsePerfData',
    `-Djava.io.tmpdir=${options.temporary}`,
    `-Dholdfast.backend=${options.token}`,
    ...options.args,
  ];
}
