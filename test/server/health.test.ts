import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { status } from '@grpc/grpc-js';
import fc from 'fast-check';
import { RunFunctionResponse } from '../../src/crossplane/protocol.ts';
import { HEALTH_SERVICE, type HealthResponse } from '../../src/server/health.ts';
import { call, refusal, running } from '../support/function-client.ts';

const { check, watch } = HEALTH_SERVICE;
const nothing = () => RunFunctionResponse.decode(new Uint8Array());

describe('health()', () => {
  it('says that the server and both services serve, and knows no others', async () => {
    const server = await running(nothing);
    const client = server.client();
    const names = ['', 'v1', 'v1beta1'].map((version) =>
      version === '' ? '' : `apiextensions.fn.proto.${version}.FunctionRunnerService`,
    );
    const answers = await Promise.all(names.map((name) => call(client, check, { service: name })));
    assert.deepEqual(answers, [{ status: 1 }, { status: 1 }, { status: 1 }]);
    assert.deepEqual(await refusal(call(client, check, { service: 'other' })), {
      code: status.NOT_FOUND,
      details: 'unknown service',
    });
    await server.clean();
  });

  it('tells watchers when the server stops, and does not keep it from ending', async () => {
    const server = await running(nothing);
    const client = server.client();
    const seen = ['', 'other'].map((name) => {
      const answers: number[] = [];
      const stream = client.makeServerStreamRequest(
        watch.path,
        watch.requestSerialize,
        watch.responseDeserialize,
        { service: name },
      );
      stream.on('data', ({ status }: HealthResponse) => answers.push(status));
      const first = new Promise((resolve) => {
        stream.once('data', resolve);
      });
      const end = new Promise((resolve) => {
        stream.once('end', resolve);
      });
      return { answers, first, end };
    });
    await Promise.all(seen.map(({ first }) => first));
    assert.equal(await server.stop(), 0);
    await Promise.all(seen.map(({ end }) => end));
    assert.deepEqual(
      seen.map(({ answers }) => answers),
      [[1, 2], [3]],
    );
    await server.clean();
  });

  it('reads every name it writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (name) => {
        const request = { service: name };
        assert.deepEqual(check.requestDeserialize(check.requestSerialize(request)), request);
      }),
    );
  });

  it('reads an empty message and skips fields it does not know', () => {
    assert.deepEqual(check.requestDeserialize(Buffer.alloc(0)), { service: '' });
    assert.deepEqual(check.requestDeserialize(Buffer.from([0x12, 1, 65, 0x0a, 1, 66])), {
      service: 'B',
    });
  });

  it('refuses bytes that are no message', () => {
    for (const bytes of [[0x0a], [0x0a, 5, 65], [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]]) {
      assert.throws(() => check.requestDeserialize(Buffer.from(bytes)), RangeError);
    }
  });
});
