// The names of what the chart makes, by the rule that chart and function share.
import { type JsonObject, numberAt, stringAt, valueAt } from '../core/json.ts';
import { MAX_DNS_LABEL_LENGTH, MAX_STATEFUL_SET_NAME_LENGTH, shortName } from '../core/names.ts';

export interface ChartNames {
  /** The public Service. */
  readonly service: string;
  readonly port: number;
  readonly statefulSet: string;
  readonly serviceAccount: string;
}

/** The release name when it says what it is, else with `-celld` behind it. */
export function fullnameOf(releaseName: string): string {
  return releaseName.includes('celld') ? releaseName : `${releaseName}-celld`;
}

/** The names that follow from the merged values, whatever a user changed in them. */
export function chartNames(values: JsonObject, releaseName: string): ChartNames {
  const part = stringAt(values, 'nameOverride') ?? 'celld';
  const byRelease = releaseName.includes(part) ? releaseName : `${releaseName}-${part}`;
  const fullname = stringAt(values, 'fullnameOverride') ?? byRelease;
  const made = valueAt(values, 'serviceAccount', 'create') !== false;
  const service = shortName(fullname, MAX_DNS_LABEL_LENGTH);
  return {
    service,
    port: numberAt(values, 'service', 'port') ?? 8080,
    statefulSet: shortName(fullname, MAX_STATEFUL_SET_NAME_LENGTH),
    serviceAccount: stringAt(values, 'serviceAccount', 'name') ?? (made ? service : 'default'),
  };
}
