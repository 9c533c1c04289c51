// The numbers of the protocol's enumerations that we write. The SDK has them too, but loading it for them would
// take as long as the rest of the start; the compiler and a test hold these against it.
import type { Ready, Severity, Status, Target } from '../../crossplane/protocol.ts';

export const READY = { unspecified: 0, yes: 1, no: 2 } as const satisfies {
  readonly [name: string]: Ready;
};

export const SEVERITY = { fatal: 1, warning: 2, normal: 3 } as const satisfies {
  readonly [name: string]: Severity;
};

export const STATUS = { Unknown: 1, True: 2, False: 3 } as const satisfies {
  readonly [name: string]: Status;
};

export const TARGET_COMPOSITE = 1 satisfies Target;
