import { IdentityMap } from './identity-map.js';
import { LedgerProgress } from './ledger-progress.js';
import type { GatewayParts } from './ports.js';
import { ProbeHold } from './probe-hold.js';
import { Recorder } from './recorder.js';
import { SharedDispatches } from './shared-dispatches.js';

/** One gateway: its parts, and what it makes of them. */
export type Gateway = {
  readonly parts: GatewayParts;
  readonly progress: LedgerProgress;
  readonly identity: IdentityMap;
  readonly recorder: Recorder;
  readonly hold: ProbeHold;
  readonly dispatches: SharedDispatches;
};

/** Before the ledger table is started: what it reads on its way up is wanted too. */
export const createGateway = (parts: GatewayParts): Gateway => {
  const progress = new LedgerProgress(parts.ledger);
  const identity = new IdentityMap(parts.ledger, progress);
  return {
    parts,
    progress,
    identity,
    recorder: new Recorder(parts.log, identity),
    hold: new ProbeHold(parts.contracts, parts.settings.probeHoldMs),
    dispatches: new SharedDispatches(),
  };
};
