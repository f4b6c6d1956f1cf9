import { expect } from '@jest/globals';
import type { Right, RightsRole } from '../../../services/rights/rights.js';
import type { GuardedMesh, Printed } from './guarded-mesh.js';
import { sentencesOn } from './sentences.js';

/** A command that needs the right: it says so and changes nothing, and works once the right is there. */
export const commandWithout = async (
  mesh: GuardedMesh,
  role: RightsRole,
  right: Right,
  run: () => Promise<Printed>,
): Promise<void> => {
  const lacking = mesh.named(right);
  await mesh.kafka.revoke(role, lacking);
  const refused = await run().finally(() => mesh.kafka.grant(role, [lacking]));
  const done = await run();

  expect(refused.code).toBe(2);
  expect(refused.stdout).toBe('');
  expect(
    sentencesOn(role, lacking).map((sentence) => `holdfast: ${sentence} [HOLDFAST_KAFKA_NOT_AUTHORIZED]\n`),
  ).toContain(refused.stderr);
  expect({ code: done.code, stderr: done.stderr }).toStrictEqual({ code: 0, stderr: '' });
};
