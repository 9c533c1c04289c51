// The report of the official tool: its text lines and its JSON, with the place and the code added to each error.
import { styleText } from 'node:util';
import type { Json, JsonObject } from '../../core/json.ts';
import { stringAt } from '../../core/json.ts';
import { formatPlace } from '../../core/problem.ts';
import { printYaml } from '../../manifests/yaml.ts';
import type { Judged } from './check-subject.ts';
import type { Fault, Subject } from './subject.ts';

export interface ReportOptions {
  readonly format: string;
  readonly skipSuccess: boolean;
  /** What to do about a code; empty when hints are not wanted. */
  readonly hintOf: (code: string) => string | undefined;
}

export interface Summary {
  readonly total: number;
  readonly valid: number;
  readonly invalid: number;
  readonly missingSchemas: number;
}

/** Counts what came of the subjects. */
export function summaryOf(all: readonly Judged[]): Summary {
  const count = (status: Judged['status']) => all.filter((one) => one.status === status).length;
  return {
    total: all.length,
    valid: count('valid'),
    invalid: count('invalid'),
    missingSchemas: count('missingSchema'),
  };
}

/** The report as text. */
export function formatReport(all: readonly Judged[], options: ReportOptions): string {
  if (options.format === 'text') return textReport(all, options);
  const { skipSuccess } = options;
  const shown = all.filter(
    ({ status, faults }) => !skipSuccess || status !== 'valid' || faults.length > 0,
  );
  const report: JsonObject = {
    summary: { ...summaryOf(all) },
    resources: shown.map((one) => resourceReport(one, options)),
  };
  return options.format === 'json' ? `${JSON.stringify(report, null, 2)}\n` : printYaml(report);
}

/** The name of a resource, or what the Composition calls it. */
export function nameOf({ object }: Subject): string {
  const annotation = 'crossplane.io/composition-resource-name';
  return (
    stringAt(object, 'metadata', 'name') ??
    stringAt(object, 'metadata', 'annotations', annotation) ??
    ''
  );
}

function resourceReport({ subject, status, faults }: Judged, options: ReportOptions): JsonObject {
  const { apiVersion, kind } = subject.object;
  const namespace = stringAt(subject.object, 'metadata', 'namespace');
  return {
    apiVersion,
    kind,
    name: nameOf(subject),
    ...(namespace === undefined ? {} : { namespace }),
    source: subject.source,
    status,
    ...list(
      'errors',
      faults.filter(({ isNote }) => !isNote),
      options,
    ),
    ...list(
      'notes',
      faults.filter(({ isNote }) => isNote),
      options,
    ),
  };
}

function list(key: string, faults: readonly Fault[], { hintOf }: ReportOptions): JsonObject {
  if (faults.length === 0) return {};
  return {
    [key]: faults.map((fault): Json => {
      const { type, field, message, code, place } = fault;
      const { line, column } = place;
      const hint = hintFor(fault, hintOf);
      return {
        type,
        field,
        message,
        code,
        file: place.file,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
        ...(fault.value === undefined ? {} : { value: fault.value }),
        ...(hint === undefined ? {} : { hint }),
      };
    }),
  };
}

/** Nothing where hints are not wanted; else the fault's own before that of its code. */
function hintFor(fault: Fault, hintOf: ReportOptions['hintOf']): string | undefined {
  const hint = hintOf(fault.code);
  return hint === undefined ? undefined : (fault.hint ?? hint);
}

const TITLES: { readonly [type in Fault['type']]: string } = {
  schema: 'schema validation error',
  unknownField: 'schema validation error',
  cel: 'CEL validation error',
  beyond: 'validation error',
};

function textReport(all: readonly Judged[], options: ReportOptions): string {
  const { total, valid, invalid, missingSchemas } = summaryOf(all);
  const lines = all.flatMap((one) => textLines(one, options));
  return `${[
    ...lines,
    `Total ${total} resources: ${missingSchemas} missing schemas, ${valid} success cases, ${invalid} failure cases`,
  ].join('\n')}\n`;
}

function textLines({ subject, status, faults }: Judged, options: ReportOptions): readonly string[] {
  const { apiVersion, kind } = subject.object;
  const gvk = `${apiVersion}, Kind=${kind}`;
  const name = nameOf(subject);
  if (status === 'missingSchema') return [`${warning()} could not find CRD/XRD for: ${gvk}`];
  const lines = faults.flatMap((fault) => {
    const { isNote, message, place, type } = fault;
    const title = isNote ? 'note' : TITLES[type];
    const hint = hintFor(fault, options.hintOf);
    return [
      `${isNote ? warning() : failure()} ${title} ${gvk}, ${name} : ${message} (${formatPlace(place)})`,
      ...(hint === undefined ? [] : [`    hint: ${hint}`]),
    ];
  });
  if (status === 'invalid' || options.skipSuccess) return lines;
  return [...lines, `${success()} ${gvk}, ${name} validated successfully`];
}

const success = () => styleText('green', '[✓]', { stream: process.stdout });
const failure = () => styleText('red', '[x]', { stream: process.stdout });
const warning = () => styleText('yellow', '[!]', { stream: process.stdout });
