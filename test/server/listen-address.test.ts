import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listenAddress, type Network } from '../../src/server/listen-address.ts';

describe('listenAddress()', () => {
  const good: readonly { network: Network; text: string; host: string; port: number }[] = [
    { network: 'tcp', text: ':9443', host: '', port: 9443 },
    { network: 'tcp4', text: '127.0.0.1:0', host: '127.0.0.1', port: 0 },
    { network: 'tcp6', text: '[::1]:65535', host: '::1', port: 65_535 },
    { network: 'tcp', text: 'localhost:80', host: 'localhost', port: 80 },
    { network: 'unix', text: '/run/function.sock', host: '/run/function.sock', port: 0 },
  ];
  for (const { network, text, host, port } of good) {
    it(`reads ${network} ${text}`, () => {
      assert.deepEqual(listenAddress(network, text), { network, text, host, port });
    });
  }

  const bad: readonly { text: string; why: string }[] = [
    { text: '', why: 'it is empty' },
    { text: '9443', why: 'it is a port alone' },
    { text: 'localhost', why: 'it is a host alone' },
    { text: '::1:9443', why: 'an IPv6 address stands without brackets' },
    { text: ':65536', why: 'there is no such port' },
    { text: ':https', why: 'the port is a name' },
  ];
  for (const { text, why } of bad) {
    it(`refuses ${JSON.stringify(text)}, since ${why}`, () => {
      assert.throws(() => listenAddress('tcp', text), {
        problems: [
          {
            code: 'USAGE',
            path: '',
            message: `--address is ${JSON.stringify(text)}: expected HOST:PORT`,
            hint: 'write ":9443" to listen on every address of the machine',
          },
        ],
      });
    });
  }

  it('refuses a socket without a path', () => {
    assert.throws(() => listenAddress('unix', ''), {
      problems: [
        { code: 'USAGE', path: '', message: '--address is empty: expected the path of a socket' },
      ],
    });
  });
});
