// SHA-256 (FIPS 180-4) without node:crypto, because names are derived from it in layers that import nothing.

// The first 32 bits of the fractional parts of the square and cube roots of the first primes.
const INITIAL = fractions(8, Math.sqrt);
const ROUND = fractions(64, Math.cbrt);

/** The lower-case hex digest of a text's UTF-8 bytes; a lone surrogate counts as U+FFFD. */
export function sha256Hex(text: string): string {
  const state = Uint32Array.from(INITIAL);
  const message = padded(utf8(text));
  const view = new DataView(message.buffer);
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < message.length; offset += 64) {
    expand(schedule, view, offset);
    compress(state, schedule);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('');
}

/** The bits after the point, of a root of each of the first primes. */
function fractions(count: number, root: (prime: number) => number): readonly number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  return primes.map((prime) => Math.floor((root(prime) % 1) * 2 ** 32));
}

/** The message, a one bit, zeros, and its length in bits, in whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): Uint8Array {
  const result = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  result.set(bytes);
  result[bytes.length] = 0x80;
  const view = new DataView(result.buffer);
  view.setUint32(result.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(result.length - 4, bytes.length << 3);
  return result;
}

function expand(schedule: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [at(schedule, i - 15), at(schedule, i - 2)];
    const early = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const late = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    schedule[i] = at(schedule, i - 16) + early + at(schedule, i - 7) + late;
  }
}

function compress(state: Uint32Array, schedule: Uint32Array): void {
  // Eight local words instead of an array: names are hashed in every call of the function.
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const first = (h + high + choice + (ROUND[i] ?? 0) + at(schedule, i)) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + low + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = at(state, i) + word;
  });
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

/** Rotation to the right of 32 bits. */
function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    const code = point >= 0xd800 && point < 0xe000 ? 0xfffd : point;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(code));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(code >> 6), tail(code));
    else bytes.push(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code));
  }
  return Uint8Array.from(bytes);
}

function tail(code: number): number {
  return 0x80 | (code & 0x3f);
}
