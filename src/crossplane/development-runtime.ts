// A function that a developer runs on this machine: plaintext gRPC, waited for until the time is up.
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { refuse } from '../core/problem.ts';
import type { RunFunction } from './function-call.ts';
import { FunctionRunnerServiceService } from './protocol.ts';

const PATH = FunctionRunnerServiceService.runFunction.path;
/** What functions of before 2024 serve. */
const OLD_PATH = PATH.replace('.v1.', '.v1beta1.');

export interface DevelopmentRuntime {
  readonly run: RunFunction;
  readonly close: () => void;
}

/**
 * A function at `host:port`. Calls end with a ProblemError when nothing answers before the deadline,
 * which counts for all calls together, or when the function answers with an error.
 */
export function developmentRuntime(target: string, deadline: Date): DevelopmentRuntime {
  // A proxy from the environment must not stand between two processes of one machine.
  const options = { 'grpc.enable_http_proxy': 0 };
  const client = new Client(target, credentials.createInsecure(), options);
  const call = (path: string, request: Uint8Array): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        path,
        (bytes: Buffer) => bytes,
        (bytes: Buffer) => bytes,
        Buffer.from(request),
        new Metadata({ waitForReady: true }),
        { deadline },
        (error, answer) => (error === null ? resolve(answer ?? Buffer.alloc(0)) : reject(error)),
      );
    });
  return {
    run: (request) =>
      call(PATH, request)
        .catch((error: ServiceError) => {
          if (error.code !== status.UNIMPLEMENTED) throw error;
          return call(OLD_PATH, request);
        })
        .catch((error: ServiceError) => unreachable(target, error)),
    close: () => client.close(),
  };
}

function unreachable(target: string, error: ServiceError): never {
  if (error.code === status.DEADLINE_EXCEEDED)
    return refuse(
      'FUNCTION_UNREACHABLE',
      `no function answered at ${target} before the time was up`,
      { hint: 'start the function there with --insecure, or raise --timeout' },
    );
  return refuse(
    'FUNCTION_UNREACHABLE',
    `the function at ${target} answered with ${status[error.code]}: ${error.details}`,
  );
}
