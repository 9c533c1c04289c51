// URLs, IP addresses and CIDRs as Kubernetes' CEL libraries read them.
import { isIPv4, isIPv6 } from 'node:net';
import { CelError, type FunctionRow, fn, traversal } from './function-row.ts';
import { type CidrValue, type IpValue, listOf, type UrlValue, type Value } from './value.ts';

/** An absolute URI or an absolute path, as Go reads a request line. */
function readUrl(text: string): UrlValue | undefined {
  const parts =
    /^(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/(?<host>[^/?]*))?(?<path>[^?]*)(?:\?(?<query>.*))?$/su.exec(
      text,
    )?.groups;
  if (parts === undefined || /\p{Cc}/u.test(text)) return undefined;
  const { scheme = '', host, path = '', query = '' } = parts;
  if (scheme === '' && !path.startsWith('/')) return undefined;
  if (host !== undefined && /[\s<>"\\^`{|}]/u.test(host)) return undefined;
  if (/%(?![0-9A-Fa-f]{2})/u.test(path)) return undefined;
  const authority = (host ?? '').replace(/^.*@/u, '');
  return { kind: 'url', scheme: scheme.toLowerCase(), host: authority, path, query };
}

function url(text: string): UrlValue {
  const read = readUrl(text);
  if (read === undefined)
    throw new CelError(
      `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
    );
  return read;
}

function port({ host }: UrlValue): string {
  return /:(?<port>\d*)$/u.exec(host)?.groups?.['port'] ?? '';
}

function hostname({ host }: UrlValue): string {
  return host.replace(/:\d*$/u, '').replace(/^\[(?<inner>.*)\]$/u, '$<inner>');
}

function query({ query: text }: UrlValue): Value {
  const entries = new Map<string, string[]>();
  for (const [key, value] of new URLSearchParams(text)) {
    entries.set(key, [...(entries.get(key) ?? []), value]);
  }
  return {
    kind: 'map',
    entries: new Map([...entries].map(([key, values]) => [key, listOf(values)])),
  };
}

/** The bytes of an address; undefined when it is none. Addresses with zones and mapped ones are refused. */
function readIp(text: string): IpValue | undefined {
  if (isIPv4(text)) return { kind: 'ip', bytes: text.split('.').map(Number) };
  if (!isIPv6(text) || text.includes('%') || text.includes('.')) return undefined;
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return {
    kind: 'ip',
    bytes: [...before, ...(tail === undefined ? [] : zeros), ...after].flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    }),
  };
}

function ip(text: string): IpValue {
  const read = readIp(text);
  if (read === undefined)
    throw new CelError(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string`,
    );
  return read;
}

function formatIp({ bytes }: IpValue): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    (((bytes[2 * i] ?? 0) << 8) | (bytes[2 * i + 1] ?? 0)).toString(16),
  );
  const runs = [...groups.join(':').matchAll(/(?:^|:)0(?::0)+(?=:|$)/gu)].map((match) => match[0]);
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  return longest === ''
    ? groups.join(':')
    : groups.join(':').replace(longest, '::').replace(/:{3,}/u, '::');
}

function readCidr(text: string): CidrValue | undefined {
  const [address = '', bits = '', more] = text.split('/');
  const read = readIp(address);
  if (read === undefined || more !== undefined || !/^(?:0|[1-9]\d{0,2})$/u.test(bits))
    return undefined;
  return Number(bits) > read.bytes.length * 8
    ? undefined
    : { kind: 'cidr', ip: read, bits: Number(bits) };
}

function cidr(text: string): CidrValue {
  const read = readCidr(text);
  if (read !== undefined) return read;
  // The server wraps Go's error twice.
  const error = 'network address parse error during conversion from string: ';
  throw new CelError(
    `${error}${error}netip.ParsePrefix(${JSON.stringify(text)}): ${cidrFault(text)}`,
  );
}

function cidrFault(text: string): string {
  const slash = text.lastIndexOf('/');
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0) return "no '/'";
  if (readIp(address) === undefined) {
    return `ParseAddr(${JSON.stringify(address)}): unable to parse IP`;
  }
  return /^(?:0|[1-9]\d*)$/u.test(bits)
    ? 'prefix length out of range'
    : `bad bits after slash: ${JSON.stringify(bits)}`;
}

function masked({ ip: address, bits }: CidrValue): readonly number[] {
  return address.bytes.map((byte, i) => {
    const kept = Math.min(8, Math.max(0, bits - 8 * i));
    return byte & ((0xff << (8 - kept)) & 0xff);
  });
}

function containsIp(network: CidrValue, address: IpValue): boolean {
  const other = { ...network, ip: address };
  return (
    network.ip.bytes.length === address.bytes.length &&
    masked(network).join() === masked(other).join()
  );
}

function containsCidr(network: CidrValue, other: CidrValue): boolean {
  return other.bits >= network.bits && containsIp(network, other.ip);
}

const isLoopback = ({ bytes }: IpValue) =>
  bytes.length === 4 ? bytes[0] === 127 : bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
const isUnspecified = ({ bytes }: IpValue) => bytes.every((byte) => byte === 0);
const isMulticast = ({ bytes }: IpValue) =>
  bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
const isLinkLocalMulticast = ({ bytes }: IpValue) =>
  bytes.length === 4
    ? bytes.slice(0, 3).join() === '224,0,0'
    : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2;
const isLinkLocalUnicast = ({ bytes }: IpValue) =>
  bytes.length === 4
    ? bytes[0] === 169 && bytes[1] === 254
    : bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
const isBroadcast = ({ bytes }: IpValue) => bytes.join() === '255,255,255,255';

const parse = { cost: (a: { size: { max: number } } | undefined) => traversal(a?.size.max ?? 0) };

/** Functions on URLs, addresses and networks. */
export const NETWORK_FUNCTIONS: readonly FunctionRow[] = [
  fn('isURL(string): bool', (a: string) => readUrl(a) !== undefined),
  fn('url(string): url', url, parse),
  fn('url.getScheme(): string', (a: UrlValue) => a.scheme),
  fn('url.getHost(): string', (a: UrlValue) => a.host),
  fn('url.getHostname(): string', hostname),
  fn('url.getPort(): string', port),
  fn('url.getEscapedPath(): string', (a: UrlValue) => a.path),
  fn('url.getQuery(): map<string, list<string>>', query),
  fn('isIP(string): bool', (a: string) => readIp(a) !== undefined),
  fn('ip(string): ip', ip),
  fn('ip::isCanonical(string): bool', (a: string) => formatIp(ip(a)) === a),
  fn('string(ip): string', formatIp),
  fn('ip.family(): int', (a: IpValue) => (a.bytes.length === 4 ? 4n : 6n)),
  fn('ip.isUnspecified(): bool', isUnspecified),
  fn('ip.isLoopback(): bool', isLoopback),
  fn('ip.isLinkLocalMulticast(): bool', isLinkLocalMulticast),
  fn('ip.isLinkLocalUnicast(): bool', isLinkLocalUnicast),
  fn(
    'ip.isGlobalUnicast(): bool',
    (a: IpValue) =>
      !(
        isUnspecified(a) ||
        isLoopback(a) ||
        isMulticast(a) ||
        isLinkLocalUnicast(a) ||
        isBroadcast(a)
      ),
  ),
  fn('isCIDR(string): bool', (a: string) => readCidr(a) !== undefined),
  fn('cidr(string): cidr', cidr),
  fn('string(cidr): string', (a: CidrValue) => `${formatIp(a.ip)}/${a.bits}`),
  fn('cidr.ip(): ip', (a: CidrValue) => a.ip),
  fn('cidr.prefixLength(): int', (a: CidrValue) => BigInt(a.bits)),
  fn('cidr.masked(): cidr', (a: CidrValue) => ({ ...a, ip: { kind: 'ip', bytes: masked(a) } })),
  fn('cidr.containsIP(ip): bool', containsIp, { cost: () => 4 }),
  fn('cidr.containsIP(string): bool', (a: CidrValue, b: string) => containsIp(a, ip(b)), {
    cost: (_, b) => 4 + traversal(b?.size.max ?? 0),
  }),
  fn('cidr.containsCIDR(cidr): bool', containsCidr, { cost: () => 7 }),
  fn('cidr.containsCIDR(string): bool', (a: CidrValue, b: string) => containsCidr(a, cidr(b)), {
    cost: (_, b) => 7 + traversal(b?.size.max ?? 0),
  }),
];
