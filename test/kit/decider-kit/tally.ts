/** Counts what was generated, so that a generator that never reaches something is found out. */
export class Tally {
  private readonly counts = new Map<string, Map<string, number>>();

  add(what: string, name: string): void {
    const names = this.counts.get(what) ?? new Map<string, number>();
    this.counts.set(what, names.set(name, (names.get(name) ?? 0) + 1));
  }

  /** Names of `expected` that never occurred. */
  missing(what: string, expected: readonly string[]): readonly string[] {
    return expected.filter((name) => !this.counts.get(what)?.has(name)).map((name) => `${what} ${name}`);
  }

  toString(): string {
    return [...this.counts]
      .map(([what, names]) => {
        const sorted = [...names].sort(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
        return `${what}: ${sorted.join(', ')}`;
      })
      .join('\n');
  }
}
