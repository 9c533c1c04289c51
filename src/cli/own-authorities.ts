// The certificate authorities of SSL_CERT_FILE, which celld trusts. Node reads a file of authorities only
// when it starts, so the program starts itself again with it; every SDK then trusts them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const STARTED_WITH = 'NODE_EXTRA_CA_CERTS';

/**
 * Runs this same command line with the authorities of SSL_CERT_FILE and gives its exit code, or
 * undefined when there are none to add and the caller is to go on itself.
 */
export async function runWithOwnAuthorities(): Promise<number | undefined> {
  const file = process.env['SSL_CERT_FILE'];
  if (file === undefined || file === '' || process.env[STARTED_WITH] !== undefined) {
    return undefined;
  }
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: { ...process.env, [STARTED_WITH]: file },
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', pass);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
