// Takes connections and never says a word.
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface HangingServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts it on a free port of loopback. */
export async function startHanging(): Promise<HangingServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await new Promise<void>((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
