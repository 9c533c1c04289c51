// Free loopback ports, from below the range that systems use for outgoing connections: a port stays free while its process restarts.
import { createServer } from 'node:net';

const LOWEST = 20_000;
const COUNT = 12_000;
const given = new Set<number>();

/** A port on 127.0.0.1 that nothing listens on and that was not given out before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 200; tries++) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port between ${LOWEST} and ${LOWEST + COUNT}`);
}

/** True when nothing listens on the port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
      server.close(() => resolve(true)),
    );
  });
}
