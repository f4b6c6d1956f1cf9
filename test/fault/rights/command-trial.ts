import { expect } from '@jest/globals';
import type { Right, RightsRole } from '../../../services/rights/rights.js';
import type { GuardedMesh } from './guarded-mesh.js';
import { sentencesOn } from './sentences.js';

/** Commands that were seen to work with all rights of their role: words as JSON. */
export type Worked = Set<string>;

/** Commands that need the right: each says so and changes nothing, and works with it. */
export const commandsWithout = async (
  mesh: GuardedMesh,
  role: RightsRole,
  right: Right,
  commands: readonly (readonly string[])[],
  worked: Worked,
): Promise<void> => {
  const lacking = mesh.named(right);
  const run = (those: readonly (readonly string[])[]) => Promise.all(those.map((words) => mesh.run(role, words)));
  await mesh.kafka.revoke(role, lacking);
  const refused = await run(commands).finally(() => mesh.kafka.grant(role, [lacking]));
  const open = commands.filter((words) => !worked.has(JSON.stringify(words)));
  const done = await run(open);
  for (const words of open) worked.add(JSON.stringify(words));

  const sentences = sentencesOn(role, lacking).map(
    (sentence) => `holdfast: ${sentence} [HOLDFAST_KAFKA_NOT_AUTHORIZED]\n`,
  );
  for (const { code, stderr, stdout } of refused) {
    expect({ code, stdout }).toStrictEqual({ code: 2, stdout: '' });
    expect(sentences).toContain(stderr);
  }
  expect(done.map(({ code, stderr }) => ({ code, stderr }))).toStrictEqual(open.map(() => ({ code: 0, stderr: '' })));
};
