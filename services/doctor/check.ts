/** What a check saw. A fault always comes with the ways out of it: a command, a setting. */
export type Found =
  | { readonly status: 'ok'; readonly said: string; readonly details?: readonly string[] }
  | {
      /** `warning`: it works, and somebody should look at it. */
      readonly status: 'warning' | 'failure';
      readonly said: string;
      readonly details?: readonly string[];
      readonly ways: readonly [string, ...string[]];
    };

/** `details` and `ways` are empty where there are none. */
export type CheckResult = {
  readonly check: string;
  readonly status: Found['status'] | 'not-checked';
  readonly said: string;
  readonly details: readonly string[];
  readonly ways: readonly string[];
};

export type Check = {
  readonly name: string;
  /** Checks without which this one says nothing. */
  readonly needs: readonly string[];
  readonly look: () => Promise<Found>;
};

export const ok = (said: string, details: readonly string[] = []): Found => ({ status: 'ok', said, details });

/** Runs every check as soon as what it needs was found in order; independent ones side by side. In the order given. */
export const runChecks = async (checks: readonly Check[]): Promise<readonly CheckResult[]> => {
  const running = new Map<string, Promise<CheckResult>>();
  for (const check of checks) {
    const needed = check.needs.map((name) => {
      const before = running.get(name);
      if (before === undefined) throw new Error(`${check.name} needs ${name}, which does not come before it`);
      return before;
    });
    running.set(check.name, runCheck(check, needed));
  }
  return Promise.all(running.values());
};

const runCheck = async ({ name, look }: Check, needed: readonly Promise<CheckResult>[]): Promise<CheckResult> => {
  const missing = (await Promise.all(needed)).filter(({ status }) => status === 'failure' || status === 'not-checked');
  if (missing.length > 0) {
    const said = `not checked: because of ${missing.map(({ check }) => check).join(' and ')}`;
    return { check: name, status: 'not-checked', said, details: [], ways: [] };
  }
  const found = await look();
  return { check: name, details: [], ways: [], ...found };
};
