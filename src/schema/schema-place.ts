// A place in the schema of a definition, and what is wrong there.
import type { FieldPath } from '../core/field-path.ts';
import type { ProblemCode } from '../core/problem-codes.ts';
import type { Finding } from './finding.ts';

/** Keys from the root of the definition, and the same as the API server writes it. */
export interface SchemaPlace {
  readonly path: FieldPath;
  readonly field: string;
}

/** A place below another. Names of properties stand in brackets: `properties[spec]`. */
export function below(place: SchemaPlace, key: string, name?: string | number): SchemaPlace {
  return name === undefined
    ? { path: [...place.path, key], field: `${place.field}.${key}` }
    : { path: [...place.path, key, name], field: `${place.field}.${key}[${name}]` };
}

/** A finding about a definition; its reason is the one its message begins with. */
export function definitionFinding(place: SchemaPlace, code: ProblemCode, message: string): Finding {
  return {
    type: 'schema',
    path: place.path,
    field: place.field,
    reason: message.startsWith('Forbidden')
      ? 'FieldValueForbidden'
      : message.startsWith('Required')
        ? 'FieldValueRequired'
        : 'FieldValueInvalid',
    message,
    code,
  };
}
