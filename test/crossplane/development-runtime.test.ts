import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Server, ServerCredentials, type ServiceError, status } from '@grpc/grpc-js';
import { ProblemError } from '../../src/core/problem.ts';
import { developmentRuntime } from '../../src/crossplane/development-runtime.ts';

const V1 = '/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction';
const V1BETA1 = '/apiextensions.fn.proto.v1beta1.FunctionRunnerService/RunFunction';

type Answer = (error: Partial<ServiceError> | null, bytes?: Buffer) => void;

/** A server that answers with bytes, whatever they are; its `host:port`. */
function serve(
  test: TestContext,
  path: string,
  run: (request: Buffer, answer: Answer) => void,
): Promise<string> {
  const server = new Server();
  const same = (bytes: Buffer) => bytes;
  const method = {
    path,
    requestStream: false,
    responseStream: false,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
  server.addService(
    { run: method },
    {
      run: (call: { request: Buffer }, answer: Answer) => run(call.request, answer),
    },
  );
  test.after(() => server.forceShutdown());
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(`127.0.0.1:${port}`) : reject(error),
    );
  });
}

async function call(target: string, milliseconds = 5000): Promise<string> {
  const runtime = developmentRuntime(target, new Date(Date.now() + milliseconds));
  try {
    return Buffer.from(await runtime.run(Buffer.from('ping'))).toString();
  } finally {
    runtime.close();
  }
}

async function problemOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ProblemError) return error.problems;
    throw error;
  }
  return 'none';
}

describe('developmentRuntime()', () => {
  for (const path of [V1, V1BETA1]) {
    it(`carries bytes there and back over ${path.split('.')[3]}`, async (test) => {
      const target = await serve(test, path, (request, answer) =>
        answer(null, Buffer.concat([request, Buffer.from(' pong')])),
      );
      assert.equal(await call(target), 'ping pong');
    });
  }

  it('passes on what a function answers instead', async (test) => {
    const target = await serve(test, V1, (_request, answer) =>
      answer({ code: status.INTERNAL, details: 'boom' }),
    );
    assert.deepEqual(await problemOf(call(target)), [
      {
        code: 'FUNCTION_UNREACHABLE',
        path: '',
        message: `the function at ${target} answered with INTERNAL: boom`,
      },
    ]);
  });

  it('gives up at the deadline on a function that does not answer', async (test) => {
    const target = await serve(test, V1, () => undefined);
    assert.deepEqual(await problemOf(call(target, 200)), [
      {
        code: 'FUNCTION_UNREACHABLE',
        path: '',
        message: `no function answered at ${target} before the time was up`,
        hint: 'start the function there with --insecure, or raise --timeout',
      },
    ]);
  });
});
