// Expressions of Kubernetes' CEL dialect with their values, for the tests and for the oracle that asks a real
// API server the same.
import type { Json } from '../../src/core/json.ts';
import type { Schema } from '../../src/schema/open-api-schema.ts';

/** A schema with a field of each kind that expressions see. */
export const SCHEMA: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    on: { type: 'boolean' },
    namespace: { type: 'string' },
    'dash-ed': { type: 'string' },
    born: { type: 'string', format: 'date-time' },
    delay: { type: 'string', format: 'duration' },
    blob: { type: 'string', format: 'byte' },
    port: { 'x-kubernetes-int-or-string': true },
    list: { type: 'array', items: { type: 'string' } },
    numbers: { type: 'array', items: { type: 'integer' } },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    rows: {
      type: 'array',
      items: { type: 'object', properties: { key: { type: 'string' }, n: { type: 'integer' } } },
    },
    absent: { type: 'object', properties: { x: { type: 'integer' } } },
  },
};

/** What the expressions are about. */
export const SELF: Json = {
  name: 'fleet',
  count: 3,
  ratio: 0.5,
  on: true,
  namespace: 'team-a',
  'dash-ed': 'd',
  born: '2026-02-03T04:05:06.5Z',
  delay: '1h30m',
  blob: 'aGk=',
  port: 8080,
  list: ['b', 'a', 'c'],
  numbers: [3, 1, 2],
  set: ['x', 'y'],
  tags: { team: 'a', tier: 'b' },
  rows: [{ key: 'a', n: 1 }, { key: 'b' }],
};

/** Expressions and their values; `none` is an optional without, `some` one with a value. */
export const VALUES: readonly (readonly [expression: string, value: unknown])[] = [
  // Operators
  ['1 + 2 * 3 - 4 / 2 % 3', 5],
  ['-self.count', -3],
  ['1.5 + self.ratio', 2],
  ["'a' + 'b'", 'ab'],
  ['[1] + [2, 3]', [1, 2, 3]],
  ['self.on && !false || false', true],
  ["self.count > 2 ? 'many' : 'few'", 'many'],
  ["'b' in self.list && 'team' in self.tags && !('z' in self.list)", true],
  ['self.list[1]', 'a'],
  ["self.tags['tier']", 'b'],
  ['dyn(1) == 1.0 && 2 > 1.5 && 1u < 2', true],
  ["'a' < 'b' && b'a' <= b'a' && false < true", true],
  ['[1, 2] == [1, 2] && {"a": 1} == {"a": 1} && [1] != [2]', true],
  // What && and || absorb
  ['false && self.absent.x > 1', false],
  ['self.absent.x > 1 || true', true],
  ["self.list.exists(x, x == 'b' || self.absent.x > 1)", true],
  // Fields
  ['has(self.name) && !has(self.absent) && has(self.rows[0].n) && !has(self.rows[1].n)', true],
  ["self.__namespace__ == 'team-a' && self.dash__dash__ed == 'd'", true],
  ['has(self.tags.team) && !has(self.tags.other)', true],
  // Macros
  ['self.list.all(x, size(x) == 1)', true],
  ['self.numbers.exists_one(n, n == 1)', true],
  ['self.numbers.map(n, n * 2)', [6, 2, 4]],
  ['self.numbers.map(n, n > 1, n * 2)', [6, 4]],
  ["self.list.filter(x, x != 'a')", ['b', 'c']],
  ["self.tags.all(k, k.startsWith('t'))", true],
  ["self.tags.all(k, v, k.startsWith('t') && v != '')", true],
  ['self.list.exists(i, x, i == 0 && x == "b")', true],
  ['self.numbers.transformList(i, n, n - i)', [3, 0, 0]],
  ["self.tags.transformMap(k, v, v + '!')", { team: 'a!', tier: 'b!' }],
  // Standard functions
  ["size('añ😀') + size(self.list) + size(self.tags) + 'ab'.size()", 10],
  ["self.name.startsWith('fl') && self.name.endsWith('et') && self.name.contains('lee')", true],
  ["self.name.matches('^[a-z]+$') && !self.name.matches('[0-9]')", true],
  ["int('42') + int(2.9) + int(3u)", 47],
  ["double('1.5') + double(1)", 2.5],
  ["string(1) + string(true) + string(1.5) + string(b'x')", '1true1.5x'],
  ["bool('true') && bool('1') && !bool('f')", true],
  ['type(self.count) == int && type(self.port) == int && type(self.name) == string', true],
  ['type(null) == null_type && type(self.list) == list', true],
  ['dyn(1) == 1', true],
  // Time
  ["duration('90m') == self.delay && duration('1h') < self.delay", true],
  ["string(duration('1m1.5s'))", '61.5s'],
  ["duration('90m').getMinutes() + duration('3s').getSeconds()", 93],
  ['self.born.getFullYear() + self.born.getMonth() + self.born.getDate()', 2030],
  ['self.born.getDayOfMonth() + self.born.getHours() + self.born.getMinutes()', 11],
  ["string(self.born + duration('1s'))", '2026-02-03T04:05:07.5Z'],
  [
    "timestamp('2026-01-02T00:00:00Z') - timestamp('2026-01-01T00:00:00Z') == duration('24h')",
    true,
  ],
  [
    "timestamp('2026-01-01T00:00:00Z').getDayOfWeek() + timestamp('2026-01-01T00:00:00Z').getDayOfYear()",
    4,
  ],
  // Strings
  ["'Äbc'.lowerAscii() + 'äbc'.upperAscii()", 'ÄbcäBC'],
  ["' a b '.trim()", 'a b'],
  ["'😀bcd'.substring(1) + 'abcd'.substring(1, 3)", 'bcdbc'],
  ["'a😀c'.charAt(2) + 'abc'.charAt(3)", 'c'],
  ["'😀b-b'.indexOf('b') + 'abab'.indexOf('b', 2) + 'ab'.indexOf('z')", 3],
  ["'abab'.lastIndexOf('a') + 'abab'.lastIndexOf('b', 2)", 3],
  ["'aXbX'.replace('X', '-') + 'aXbX'.replace('X', '', 1)", 'a-b-abX'],
  ["'a,b,c'.split(',')", ['a', 'b', 'c']],
  ["'a,b,c'.split(',', 2)", ['a', 'b,c']],
  ["['a', 'b'].join('-') + ['a', 'b'].join()", 'a-bab'],
  ["'%s is %d, %.2f and %x%%'.format(['x', 3, 1.5, 255])", 'x is 3, 1.50 and ff%'],
  ["strings.quote('a\"b')", '"a\\"b"'],
  ["'v1.2.3'.find('[0-9]+') + 'none'.find('[0-9]')", '1'],
  ["'v1.2.3'.findAll('[0-9]')", ['1', '2', '3']],
  ["'v1.2.3'.findAll('[0-9]', 2)", ['1', '2']],
  // Lists and sets
  ['[1, 2, 2].isSorted() && !self.numbers.isSorted()', true],
  ['self.numbers.sum() + self.numbers.min() * 10 + self.numbers.max() * 100', 316],
  ["[1.5, 2.5].sum() == 4.0 && [duration('1s'), duration('2s')].sum() == duration('3s')", true],
  ["self.list.indexOf('a') + ['a', 'a'].lastIndexOf('a') + self.list.indexOf('z')", 1],
  [
    'sets.contains([1, 2], [1]) && sets.equivalent([1, 2], [2, 1, 1]) && sets.intersects([1], [1, 2])',
    true,
  ],
  ["self.set == ['y', 'x'] && self.list != ['a', 'b', 'c']", true],
  // URLs
  ["isURL('https://a.b:80/c?d=e') && isURL('/a') && !isURL('a b')", true],
  ["url('https://a.b:80/c').getScheme() + url('https://a.b:80/c').getHost()", 'httpsa.b:80'],
  ["url('https://[::1]:80/c%20d?x=1').getHostname() + url('https://a:80').getPort()", '::180'],
  ["url('https://a/c%20d?x=1&x=2').getEscapedPath()", '/c%20d'],
  ["url('https://a/?x=1&x=2&y=3').getQuery()", { x: ['1', '2'], y: ['3'] }],
  // Addresses
  ["isIP('10.0.0.1') && isIP('::1') && !isIP('10.0.0.256') && !isIP('fe80::1%eth0')", true],
  ["ip('127.0.0.1').family() + ip('::1').family()", 10],
  ["ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8:0:0:0:0:0:abcd')", true],
  ["string(ip('2001:db8:0:0:1:0:0:1'))", '2001:db8::1:0:0:1'],
  [
    "ip('127.0.0.1').isLoopback() && ip('::').isUnspecified() && ip('224.0.0.1').isLinkLocalMulticast()",
    true,
  ],
  [
    "ip('169.254.1.1').isLinkLocalUnicast() && ip('8.8.8.8').isGlobalUnicast() && !ip('::1').isGlobalUnicast()",
    true,
  ],
  ["isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/33')", true],
  [
    "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.0.0.0/8').containsIP(ip('10.1.2.3'))",
    true,
  ],
  [
    "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.0.0.0/8').containsCIDR(cidr('11.0.0.0/16'))",
    true,
  ],
  ["string(cidr('10.1.2.3/8').masked()) + string(cidr('::1/64').ip())", '10.0.0.0/8::1'],
  ["cidr('10.0.0.0/8').prefixLength()", 8],
  // Quantities
  ["isQuantity('1.5Gi') && isQuantity('100m') && isQuantity('1e3') && !isQuantity('ten')", true],
  ["quantity('1Gi').compareTo(quantity('1024Mi')) + sign(quantity('-1'))", -1],
  [
    "quantity('1').isGreaterThan(quantity('999m')) && quantity('1k').isLessThan(quantity('1Ki'))",
    true,
  ],
  ["quantity('2').add(quantity('1')).sub(1).asInteger() + quantity('5').add(1).asInteger()", 8],
  ["quantity('1500m').isInteger() || quantity('1500m').asApproximateFloat() == 1.5", true],
  ["quantity('1Gi') == quantity('1024Mi')", true],
  // Versions and formats
  ["isSemver('1.2.3') && !isSemver('v1.2') && isSemver('v1.2', true)", true],
  [
    "semver('1.10.0').isGreaterThan(semver('1.9.0')) && semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))",
    true,
  ],
  ["semver('1.2.3').major() + semver('1.2.3').minor() + semver('1.2.3').patch()", 6],
  ["semver('1.0.0-a.2').compareTo(semver('1.0.0-a.10'))", -1],
  ["format.dns1123Label().validate('a-b')", 'none'],
  ["format.named('dns1123Label').value().validate('A_b').hasValue()", true],
  ["format.named('nothing').hasValue()", false],
  // Optional values
  ['self.?absent.?x.hasValue() || self.?name.hasValue()', true],
  ["self.?tags[?'team'].orValue('?')", 'a'],
  ['optional.of(1).value() + optional.none().orValue(2)', 3],
  ["self.tags[?'team'].orValue('?') + self.tags[?'no'].orValue('?')", 'a?'],
  ['self.list[?9].hasValue()', false],
  ['self.?name.optMap(n, n + "!")', { some: 'fleet!' }],
  ['optional.none().or(optional.of(1))', { some: 1 }],
  ['optional.ofNonZeroValue(0).hasValue()', false],
];

/** Expressions that compile and fail when they run. */
export const ERRORS: readonly (readonly [expression: string, message: string])[] = [
  ['self.absent.x > 1', 'no such key: absent'],
  ['self.list[3]', 'index out of bounds: 3'],
  ["self.tags['z']", 'no such key: z'],
  ['1 / (self.count - 3)', 'division by zero'],
  ['1 % (self.count - 3)', 'modulus by zero'],
  ['9223372036854775807 + self.count', 'integer overflow'],
  ["int('x')", 'strconv.ParseInt: parsing "x": invalid syntax (int)'],
  ["duration('soon')", 'time: invalid duration "soon"'],
  ["timestamp('soon')", 'cannot parse "soon" as a timestamp'],
  ['self.port.size() > 1', 'no such overload'],
  ["'a'.substring(2)", 'index out of range: 2'],
  ['[].min()', 'min called on empty list'],
  ['optional.none().value()', 'optional.none() dereference'],
  [
    "url('a b')",
    'URL parse error during conversion from string: parse "a b": invalid URI for request',
  ],
  ["ip('a')", 'IP Address "a" parse error during conversion from string'],
  [
    "cidr('a')",
    `network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("a"): no '/'`,
  ],
  ["quantity('1.5').asInteger()", 'cannot convert value to integer'],
  [
    "'a'.matches('(?!x)') || 'a'.find('(?!x)') == ''",
    'error parsing regexp: invalid or unsupported Perl syntax: `(?!`',
  ],
  ['self.list.map(x, self.absent.x)', 'no such key: absent'],
];
