// The standard gRPC health service, grpc.health.v1. Its two messages have one field each, so they are
// read and written here: the package for it would load a protobuf parser into every start.
import type {
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';

const UNKNOWN = 3; // SERVICE_UNKNOWN
const SERVING = 1;
const NOT_SERVING = 2;
const NOT_FOUND = 5; // google.rpc.Code

export interface HealthRequest {
  /** The full name of a service; empty for the whole server. */
  readonly service: string;
}

export interface HealthResponse {
  /** 1 serving, 2 not serving, 3 unknown service. */
  readonly status: number;
}

const METHOD = {
  requestStream: false,
  requestSerialize: ({ service }: HealthRequest) =>
    Buffer.concat([varintField(1, 2, Buffer.byteLength(service)), Buffer.from(service)]),
  requestDeserialize: (bytes: Buffer): HealthRequest => ({ service: readService(bytes) }),
  responseSerialize: ({ status }: HealthResponse) => varintField(1, 0, status),
  responseDeserialize: (bytes: Buffer): HealthResponse => ({ status: bytes[1] ?? 0 }),
};

/** The service definition. */
export const HEALTH_SERVICE = {
  check: { ...METHOD, path: '/grpc.health.v1.Health/Check', responseStream: false },
  watch: { ...METHOD, path: '/grpc.health.v1.Health/Watch', responseStream: true },
} as const satisfies ServiceDefinition;

type Watcher = ServerWritableStream<HealthRequest, HealthResponse>;

/** Answers for the given services, and for the whole server under the empty name. */
export function health(services: readonly string[]): {
  readonly implementation: UntypedServiceImplementation;
  /** From now on nothing is served; watchers are told and let go. */
  readonly stop: () => void;
} {
  const known = new Set(['', ...services]);
  const watchers = new Set<Watcher>();
  let status = SERVING;
  return {
    implementation: {
      check: (
        call: { request: HealthRequest },
        callback: (error: object | null, response?: HealthResponse) => void,
      ) => {
        if (known.has(call.request.service)) callback(null, { status });
        else callback({ code: NOT_FOUND, details: 'unknown service' });
      },
      watch: (call: Watcher) => {
        watchers.add(call);
        call.on('cancelled', () => watchers.delete(call));
        call.write({ status: known.has(call.request.service) ? status : UNKNOWN });
      },
    },
    stop: () => {
      status = NOT_SERVING;
      for (const watcher of watchers) {
        if (known.has(watcher.request.service)) watcher.write({ status });
        watcher.end();
      }
      watchers.clear();
    },
  };
}

/** The string in field 1, the last one given; other fields are skipped. Throws for bytes that are no message. */
function readService(bytes: Buffer): string {
  let [service, at] = ['', 0];
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 2 ** 42) throw new RangeError('not a health request');
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    if (tag % 8 !== 2) throw new RangeError('not a health request');
    const end = varint() + at;
    if (end > bytes.length) throw new RangeError('not a health request');
    if (tag === 10) service = bytes.toString('utf8', at, end);
    at = end;
  }
  return service;
}

function varintField(field: number, wireType: number, value: number): Buffer {
  const bytes = [field * 8 + wireType];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
