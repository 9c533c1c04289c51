// String formats as the API server checks them; a format it does not know says nothing.
import { isIPv6 } from 'node:net';
import { matches } from './pattern.ts';

type Format = (text: string) => boolean;

const UUID = (version: string) => `(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?${version}-?[0-9a-f]{12}$`;
const DNS_LABEL = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
const DNS_SUBDOMAIN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
const HOSTNAME =
  '^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z0-9\\p{S}\\p{L}])(-?[a-zA-Z0-9\\p{S}\\p{L}]){1,62})$';

const FORMATS: { readonly [name: string]: Format } = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/u.test(text),
  uri: isRequestUri,
  email: (text) => /^(?:[^<>]*<)?[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"]+>?$/u.test(text),
  hostname: (text) =>
    matches(HOSTNAME, text) &&
    Buffer.byteLength(text) <= 255 &&
    text.split('.').every((part) => Buffer.byteLength(part) <= 63),
  ipv4: isIPv4Address,
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: (text) =>
    /^(?:[0-9a-f]{2}(?<s>[:-])(?:[0-9a-f]{2}\k<s>){4}(?:[0-9a-f]{2}\k<s>){0,14}[0-9a-f]{2})$/iu.test(
      text,
    ) || /^(?:[0-9a-f]{4}\.){2,9}[0-9a-f]{4}$/iu.test(text),
  uuid: (text) => matches(UUID('[0-9a-f]{4}-?[0-9a-f]{4}'), text),
  uuid3: (text) => matches(UUID('3[0-9a-f]{3}-?[0-9a-f]{4}'), text),
  uuid4: (text) => matches(UUID('4[0-9a-f]{3}-?[89ab][0-9a-f]{3}'), text),
  uuid5: (text) => matches(UUID('5[0-9a-f]{3}-?[89ab][0-9a-f]{3}'), text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: (text) =>
    /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/u.test(
      text.replaceAll(/[ -]/gu, ''),
    ),
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/u.test(text),
  hexcolor: (text) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/u.test(text),
  rgbcolor: (text) =>
    /^rgb\(\s*(?:25[0-5]|2[0-4]\d|1?\d?\d)\s*(?:,\s*(?:25[0-5]|2[0-4]\d|1?\d?\d)\s*){2}\)$/u.test(
      text,
    ),
  byte: (text) =>
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/u.test(text),
  password: () => true,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  'k8s-short-name': (text) => text.length <= 63 && matches(DNS_LABEL, text),
  'k8s-long-name': (text) => text.length <= 253 && matches(DNS_SUBDOMAIN, text),
};

/** Whether a text has a format. True for formats the API server does not check. */
export function hasFormat(text: string, format: string): boolean {
  return !isChecked(format) || (FORMATS[plainName(format)]?.(text) ?? true);
}

/** True for a format that the API server checks; any other, int32 and double too, says nothing. */
export function isChecked(format: string): boolean {
  return Object.hasOwn(FORMATS, plainName(format));
}

function plainName(format: string): string {
  return format.startsWith('k8s-') ? format : format.replaceAll('-', '');
}

/** What a request line takes: an absolute URI or an absolute path. */
function isRequestUri(text: string): boolean {
  if (text === '*' || /^\/(?!\/)[^\p{Cc}]*$/u.test(text)) return true;
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:(?<rest>[^\p{Cc}]*)$/u.exec(text);
  const rest = scheme?.groups?.['rest'];
  if (rest === undefined) return false;
  if (!rest.startsWith('//')) return true;
  const host = /^[^/?#]*/u.exec(rest.slice(2))?.[0] ?? '';
  return !/[\s<>"\\^`{|}]/u.test(host);
}

/** Leading zeros are no matter to the API server. */
function isIPv4Address(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/u.test(part) && Number(part) < 256);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', more] = text.split('/');
  if (more !== undefined || !/^\d+$/u.test(bits)) return false;
  if (isIPv4Address(address)) return Number(bits) <= 32;
  return isIPv6(address) && !address.includes('%') && Number(bits) <= 128;
}

function isDate(text: string): boolean {
  const parts = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/u.exec(text)?.groups;
  if (parts === undefined) return false;
  const [year, month, day] = [parts['year'], parts['month'], parts['day']].map(Number);
  const date = new Date(Date.UTC(2000, (month ?? 0) - 1, day ?? 0));
  date.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  return date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
}

function isDateTime(text: string): boolean {
  const [date = '', time, ...more] = text.toLowerCase().split('t');
  if (time === undefined || more.length > 0 || !isDate(date)) return false;
  return /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/u.test(time);
}

// Beside Go's `1h30m` the API server takes numbers with named units, `2 weeks`.
const UNITS = ['ns', 'nano', 'us', 'µs', 'micro', 'ms', 'milli', 's', 'sec', 'm', 'min'];
const LONG_UNITS = ['h', 'hr', 'hour', 'd', 'day', 'w', 'wk', 'week'];
const PREFIXES = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

function isDuration(text: string): boolean {
  if (/^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/u.test(text)) return true;
  return [...text.matchAll(/\d+\s*(?<unit>[A-Za-zµ]+)/gu)].some((match) => {
    const unit = match.groups?.['unit']?.toLowerCase() ?? '';
    return (
      UNITS.includes(unit) ||
      LONG_UNITS.includes(unit) ||
      PREFIXES.some((prefix) => unit.startsWith(prefix))
    );
  });
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/gu, '');
  if (!/^\d{9}[\dX]$/u.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, i) => total + (10 - i) * (digit === 'X' ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/gu, '');
  if (!/^\d{13}$/u.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, i) => total + (i % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return sum % 10 === 0;
}
