// The canned function as a Development runtime: a process of its own that serves gRPC without TLS.
import { Server, ServerCredentials } from '@grpc/grpc-js';
import {
  FunctionRunnerServiceService,
  RunFunctionRequest,
  RunFunctionResponse,
} from '../../src/crossplane/protocol.ts';
import { cannedFunction } from './canned-function.ts';

const server = new Server();
server.addService(FunctionRunnerServiceService, {
  runFunction: (
    call: { readonly request: RunFunctionRequest },
    answer: (error: Error | null, response?: RunFunctionResponse) => void,
  ) => {
    cannedFunction(RunFunctionRequest.encode(call.request).finish()).then(
      (bytes) => answer(null, RunFunctionResponse.decode(bytes)),
      (error: Error) => answer(error),
    );
  },
});
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error;
  process.stdout.write(`${port}\n`);
});
process.on('SIGTERM', () => server.forceShutdown());
