// The examples of a package: each is one that a person can apply as it stands.
import { compose } from '../../compose/compose.ts';
import { formatFieldPath } from '../../core/field-path.ts';
import { stringAt } from '../../core/json.ts';
import type { KubeObject } from '../../core/kube-object.ts';
import type { Problem } from '../../core/problem.ts';
import type { Manifest } from '../../manifests/load.ts';
import { resourceSchema } from '../../schema/resource-schema.ts';

/** What is wrong with examples of an XR: its schema's findings, then what composing them says. */
export function checkExamples(
  examples: readonly Manifest[],
  definition: KubeObject,
): readonly Problem[] {
  const kind = stringAt(definition, 'spec', 'names', 'kind');
  const group = stringAt(definition, 'spec', 'group');
  return examples.flatMap((example) => {
    const [foundGroup, version = ''] = example.object.apiVersion.split('/');
    // What an XR needs beside it, such as a Secret, is for others to check.
    if (example.object.kind !== kind || foundGroup !== group) return [];
    return checkExample(example, resourceSchema(definition, version));
  });
}

function checkExample(
  { object, placeOf }: Manifest,
  schema: ReturnType<typeof resourceSchema>,
): readonly Problem[] {
  const xr = schema.applyDefaults(object);
  const findings = schema.check(xr);
  if (findings.length > 0) {
    return findings.map(({ path, message, code }) => ({
      code,
      path: formatFieldPath(path),
      message,
      place: placeOf(path),
    }));
  }
  return compose({ xr, resources: {}, required: {} })
    .notices.filter(({ severity }) => severity === 'fatal')
    .map(({ message }) => ({
      code: 'PACKAGE_CONTENT',
      path: '',
      message: `the example does not render: ${message}`,
      place: placeOf([]),
    }));
}
