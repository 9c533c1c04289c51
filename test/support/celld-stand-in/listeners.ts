// The two listeners of a node. Both take connections from the start and answer once the node serves.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SocketAddress } from './node-settings.ts';

export interface Listener {
  /** From now on requests are answered, the waiting ones first. */
  readonly serve: (handler: Handler) => void;
  /** Requests that are being answered. */
  readonly busy: () => number;
  readonly close: () => void;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Binds the address. An unspecified one is bound at the pod's own, as the network of a pod would do:
 * the pods of a test share one machine.
 */
export async function bind(address: SocketAddress, podIp: string): Promise<Listener> {
  let busy = 0;
  let handler: Handler | undefined;
  const waiting: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    const answer = () => {
      busy++;
      handler?.(request, response).finally(() => busy--);
    };
    if (handler === undefined) waiting.push(answer);
    else answer();
  });
  const unspecified = address.host === '::' || address.host === '0.0.0.0';
  server.listen(address.port, unspecified ? podIp : address.host);
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve).once('error', reject);
  });
  return {
    serve: (given) => {
      handler = given;
      for (const answer of waiting.splice(0)) answer();
    },
    busy: () => busy,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
