// Metadata and policies that composed resources share.
import type { JsonObject } from '../../core/json.ts';
import type { Plan } from '../plan.ts';

/** Name, labels and annotations of a composed resource. Crossplane adds namespace and owner. */
export function metadata(
  plan: Plan,
  name: string,
  annotations?: { readonly [key: string]: string },
): JsonObject {
  return { name, labels: plan.labels, ...(annotations === undefined ? {} : { annotations }) };
}

const ALL = ['Observe', 'Create', 'Update', 'Delete', 'LateInitialize'];

/** The management policies without some: `*` stands for all of them. */
export function policiesWithout(plan: Plan, ...dropped: readonly string[]): readonly string[] {
  const given = plan.policies.includes('*') ? ALL : plan.policies;
  return given.filter((policy) => !dropped.includes(policy));
}
