// Where to listen, with the networks and addresses of Go's net.Listen, as Crossplane's function
// specification wants them.
import { refuse } from '../core/problem.ts';

export const NETWORKS = ['tcp', 'tcp4', 'tcp6', 'unix'] as const;
export type Network = (typeof NETWORKS)[number];

export interface ListenAddress {
  readonly network: Network;
  /** As it was given, for messages. */
  readonly text: string;
  /** Empty for every address of the machine; the path of the socket with `unix`. */
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/** Reads `HOST:PORT`, `:PORT`, `[IPV6]:PORT` or a socket's path. Throws a USAGE problem for anything else. */
export function listenAddress(network: Network, text: string): ListenAddress {
  if (network === 'unix') {
    if (text === '') refuse('USAGE', '--address is empty: expected the path of a socket');
    return { network, text, host: text, port: 0 };
  }
  const match = /^(?:\[([0-9a-fA-F:.%a-z]*)\]|([^:[\]]*)):(\d{1,5})$/u.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) {
    return refuse('USAGE', `--address is ${JSON.stringify(text)}: expected HOST:PORT`, {
      hint: 'write ":9443" to listen on every address of the machine',
    });
  }
  return { network, text, host: match[1] ?? match[2] ?? '', port };
}
