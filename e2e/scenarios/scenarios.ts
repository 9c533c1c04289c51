// All scenarios, in the order in which they begin.
import { MINIMAL } from './minimal.ts';
import type { Scenario } from './stage.ts';

export const SCENARIOS: readonly Scenario[] = [MINIMAL];
