// The results of cases as lines for people and as JUnit XML for machines.
import type { CaseResult } from './run-case.ts';

/** One line for a case that holds; for one that fails, what it shows and what is not as expected. */
export function caseLines(result: CaseResult): string {
  const { folder, why, failures, updated } = result;
  if (failures.length === 0) return `${updated ? 'updated' : 'ok     '} ${folder}\n`;
  return `failed  ${folder}\n${indented([why, ...failures].join('\n'))}`;
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '\n' : `        ${line}\n`))
    .join('');
}

/** `12 cases, 1 failed`. */
export function summaryLine(results: readonly CaseResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const cases = results.length === 1 ? '1 case' : `${results.length} cases`;
  return `${cases}, ${failed === 0 ? 'all as expected' : `${failed} failed`}\n`;
}

/** A JUnit report: one suite, a test case for each case, its class name the folder it is in. */
export function junitReport(results: readonly CaseResult[]): string {
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const suite = `name="celld-stack test" tests="${results.length}" failures="${failed}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${results.length}" failures="${failed}">`,
    `  <testsuite ${suite}>`,
    ...results.map(junitCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function junitCase({ folder, why, failures }: CaseResult): string {
  const parts = folder.split(/[\\/]/u);
  const name = `name="${escaped(parts.at(-1) ?? '')}" classname="${escaped(parts.slice(0, -1).join('.'))}"`;
  if (failures.length === 0) return `    <testcase ${name}/>`;
  const message = `message="${escaped(why)}"`;
  return `    <testcase ${name}>\n      <failure ${message}>${escaped(failures.join('\n'))}</failure>\n    </testcase>`;
}

const ENTITIES: { readonly [char: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** XML has no form for most control characters, so they become the replacement character. */
function escaped(text: string): string {
  return text
    .replace(/[&<>"]/gu, (char) => ENTITIES[char] ?? char)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}
