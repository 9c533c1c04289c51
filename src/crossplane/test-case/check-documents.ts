// Rendered documents, or the problems of a refused XR, against what a case expects.
import { type Json, type JsonObject, sameJson, stringAt } from '../../core/json.ts';
import type { Problem } from '../../core/problem.ts';
import { RESOURCE_NAME_ANNOTATION } from '../names.ts';
import type { Expectation, Refusal } from './expectation.ts';
import { selectField } from './field-selector.ts';

/** What is not as expected, a line each; none when all is. */
export function checkDocuments(
  documents: readonly JsonObject[],
  expectations: readonly Expectation[],
): readonly string[] {
  return expectations.flatMap((expectation) => checkOne(documents, expectation));
}

function checkOne(documents: readonly JsonObject[], expectation: Expectation): readonly string[] {
  const selected = documents.filter((document) => isSelected(document, expectation.select));
  const what = describeSelection(expectation.select);
  if (expectation.none)
    return selected.map(
      (document) => `${what}: found ${describeDocument(document)}: expected none`,
    );
  if (selected.length === 0) return [`${what}: found none: expected at least one document`];
  return selected.flatMap((document) => {
    const name = selected.length === 1 ? what : describeDocument(document);
    return checkFields(document, expectation).map((line) => `${name}: ${line}`);
  });
}

function isSelected(document: JsonObject, select: Expectation['select']): boolean {
  const { resource, kind, name } = select;
  return (
    (resource === undefined || resourceOf(document) === resource) &&
    (kind === undefined || document['kind'] === kind) &&
    (name === undefined || stringAt(document, 'metadata', 'name') === name)
  );
}

function resourceOf(document: JsonObject): string | undefined {
  return stringAt(document, 'metadata', 'annotations', RESOURCE_NAME_ANNOTATION);
}

function describeSelection(select: Expectation['select']): string {
  return Object.entries(select)
    .flatMap(([field, value]) => (value === undefined ? [] : [`${field} ${value}`]))
    .join(', ');
}

/** `Release team-a/demo (helm-release-celld)`; a document without a name by its kind. */
export function describeDocument(document: JsonObject): string {
  const namespace = stringAt(document, 'metadata', 'namespace');
  const name = stringAt(document, 'metadata', 'name');
  const resource = resourceOf(document);
  const path =
    name === undefined ? '' : ` ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  const kind = stringAt(document, 'kind') ?? 'document';
  return `${kind}${path}${resource === undefined ? '' : ` (${resource})`}`;
}

function checkFields(document: JsonObject, expectation: Expectation): readonly string[] {
  const { present, absent, equal, matching } = expectation;
  return [
    ...present
      .filter((field) => selectField(document, field) === undefined)
      .map(({ text }) => `${text} is absent: expected a value`),
    ...absent.flatMap((field) => {
      const found = selectField(document, field);
      return found === undefined ? [] : [`${field.text} is ${textOf(found)}: expected none`];
    }),
    ...equal.flatMap(([field, wanted]) => {
      const found = selectField(document, field);
      return sameJson(found, wanted)
        ? []
        : [`${field.text} is ${textOf(found)}: expected ${textOf(wanted)}`];
    }),
    ...matching.flatMap(([field, pattern]) => {
      const found = selectField(document, field);
      return isScalar(found) && pattern.test(String(found))
        ? []
        : [`${field.text} is ${textOf(found)}: expected a match of /${pattern.source}/`];
    }),
  ];
}

function isScalar(value: Json | undefined): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function textOf(value: Json | undefined): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}

/** What of a refusal is not as expected: each problem has to be expected, and each expected one found. */
export function checkRefusal(
  problems: readonly Problem[],
  refusals: readonly Refusal[],
): readonly string[] {
  const left = [...problems];
  const missing = refusals.filter((refusal) => {
    const index = left.findIndex((problem) => isRefusal(problem, refusal));
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
  return [
    ...missing.map((one) => `refused: found no ${describeRefusal(one)}`),
    ...left.map(({ code, path, message }) => `refused: did not expect ${code} ${path}: ${message}`),
  ];
}

function isRefusal(problem: Problem, { code, path, message }: Refusal): boolean {
  return (
    problem.code === code &&
    (path === undefined || problem.path === path) &&
    (message === undefined || message.test(problem.message))
  );
}

function describeRefusal({ code, path, message }: Refusal): string {
  const where = path === undefined || path === '' ? '' : ` at ${path}`;
  return `${code}${where}${message === undefined ? '' : ` that matches /${message.source}/`}`;
}
