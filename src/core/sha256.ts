// SHA-256 (FIPS 180-4) without node:crypto, because names are derived from it in layers that import nothing.

// The first 32 bits of the fractional parts of the square and cube roots of the first primes.
const INITIAL = Int32Array.from(fractions(8, Math.sqrt));
const ROUND = Int32Array.from(fractions(64, Math.cbrt));

/** Working memory: a new one for each text would cost more than the hash of a name does. */
const SCHEDULE = new Int32Array(64);
const SHORT = new DataView(new ArrayBuffer(4096));

/** The lower-case hex digest of a text's UTF-8 bytes; a lone surrogate counts as U+FFFD. */
export function sha256Hex(text: string): string {
  const state = INITIAL.slice();
  const message = padded(text);
  for (let offset = 0; offset < message.byteLength; offset += 64) {
    expand(SCHEDULE, message, offset);
    compress(state, SCHEDULE);
  }
  let digest = '';
  for (const word of state) digest += (word >>> 0).toString(16).padStart(8, '0');
  return digest;
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
function padded(text: string): DataView {
  const most = text.length * 3 + 73; // UTF-8 takes at most three bytes a UTF-16 unit
  const { buffer } = most <= SHORT.byteLength ? SHORT : new Uint8Array(most);
  const bytes = new Uint8Array(buffer);
  const length = writeUtf8(bytes, text);
  const message = new DataView(buffer, 0, Math.ceil((length + 9) / 64) * 64);
  bytes.fill(0, length, message.byteLength);
  bytes[length] = 0x80;
  message.setUint32(message.byteLength - 8, Math.floor(length / 2 ** 29));
  message.setUint32(message.byteLength - 4, length << 3);
  return message;
}

// Plain loops over typed arrays and local words: names are hashed in every call of the function.
function expand(schedule: Int32Array, message: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = message.getInt32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const a = at(schedule, i - 15);
    const b = at(schedule, i - 2);
    const early = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const late = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    schedule[i] = (at(schedule, i - 16) + early + at(schedule, i - 7) + late) | 0;
  }
}

function compress(state: Int32Array, schedule: Int32Array): void {
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const high = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const low = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const first = (h + high + choice + at(ROUND, i) + at(schedule, i)) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + low + majority) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
}

function at(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

/** Rotation to the right of 32 bits. */
function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** Writes a text as UTF-8 and gives the number of bytes. */
function writeUtf8(bytes: Uint8Array, text: string): number {
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes[at++] = unit;
    else {
      const point = text.codePointAt(i) ?? 0;
      if (point > 0xffff) i += 1;
      at = writeCharacter(bytes, at, point >= 0xd800 && point < 0xe000 ? 0xfffd : point);
    }
  }
  return at;
}

/** Two to four bytes: as many leading ones as there are bytes, then six bits in each that follows. */
function writeCharacter(bytes: Uint8Array, at: number, point: number): number {
  const size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  bytes[at] = ((0xf00 >> size) & 0xff) | (point >> (6 * (size - 1)));
  for (let i = 1; i < size; i++) bytes[at + i] = 0x80 | ((point >> (6 * (size - 1 - i))) & 0x3f);
  return at + size;
}
