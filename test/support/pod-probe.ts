// The probes of a container, asked as a kubelet asks them.
import { request } from 'node:http';
import { connect } from 'node:net';
import { type JsonObject, listAt, numberAt, stringAt, valueAt } from '../../src/core/json.ts';

/** Asks a probe once: httpGet is fine from 200 to 399, tcpSocket when somebody accepts. */
export function askProbe(probe: JsonObject, container: JsonObject, ip: string): Promise<boolean> {
  const ms = (numberAt(probe, 'timeoutSeconds') ?? 1) * 1000;
  const path = stringAt(probe, 'httpGet', 'path');
  const port = portOf(
    valueAt(probe, path === undefined ? 'tcpSocket' : 'httpGet', 'port'),
    container,
  );
  return path === undefined ? askTcp(ip, port, ms) : askHttp(ip, port, path, ms);
}

function portOf(port: unknown, container: JsonObject): number {
  if (typeof port === 'number') return port;
  const named = listAt(container, 'ports').find((one) => stringAt(one, 'name') === port);
  const number = numberAt(named, 'containerPort');
  if (number === undefined) throw new Error(`no port ${JSON.stringify(port)}`);
  return number;
}

function askHttp(host: string, port: number, path: string, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = request({ host, port, path, timeout, agent: false }, (response) => {
      response.resume();
      const status = response.statusCode ?? 0;
      resolve(status >= 200 && status < 400);
    });
    asking.on('timeout', () => asking.destroy()).on('error', () => resolve(false));
    asking.end();
  });
}

function askTcp(host: string, port: number, timeout: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout }, () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('timeout', () => socket.destroy()).on('close', () => resolve(false));
    socket.on('error', () => resolve(false));
  });
}
