// The limit: a function that does nothing, in the same runtime, with the SDK's own reader and writer. It
// listens on a free port of loopback with the certificates of the folder it is given, and says where.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import {
  FunctionRunnerServiceService,
  type RunFunctionRequest,
  type RunFunctionResponse,
} from '../src/crossplane/protocol.ts';

const [folder = ''] = process.argv.slice(2);
const [certificate, key, ca] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) =>
  readFileSync(join(folder, name)),
);
const server = new Server({ 'grpc.enable_channelz': 0 });
server.addService(FunctionRunnerServiceService, {
  runFunction: (
    { request }: { request: RunFunctionRequest },
    callback: (error: null, response: RunFunctionResponse) => void,
  ) =>
    callback(null, {
      meta: { tag: request.meta?.tag ?? '', ttl: { seconds: 60, nanos: 0 } },
      desired: request.desired,
      results: [],
      conditions: [],
      requirements: undefined,
    }),
});
const credentials = ServerCredentials.createSsl(
  ca ?? null,
  [{ private_key: key ?? Buffer.alloc(0), cert_chain: certificate ?? Buffer.alloc(0) }],
  true,
);
server.bindAsync('127.0.0.1:0', credentials, (error, port) => {
  if (error !== null) throw error;
  process.stderr.write(
    `${JSON.stringify({ message: 'listening', address: `127.0.0.1:${port}` })}\n`,
  );
});
