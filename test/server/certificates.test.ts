import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { RunFunctionResponse } from '../../src/crossplane/protocol.ts';
import { readCertificates } from '../../src/server/certificates.ts';
import { authority } from '../support/certificates.ts';
import {
  call,
  certificateFolder,
  clientCredentials,
  RUN_FUNCTION,
  refusal,
  running,
  smallRequest,
} from '../support/function-client.ts';

const ca = authority('function-ca');

describe('readCertificates()', () => {
  it('reads the three files', async () => {
    const identity = ca.issue('function');
    const { folder, remove } = certificateFolder(identity, ca);
    assert.deepEqual(await readCertificates(folder), {
      certificate: Buffer.from(identity.certificate),
      privateKey: Buffer.from(identity.privateKey),
      ca: Buffer.from(ca.certificate),
    });
    remove();
  });

  const broken: readonly {
    why: string;
    file: string;
    cause: string;
    change: (folder: string) => void;
  }[] = [
    {
      why: 'the folder is not there',
      file: 'tls.crt',
      cause: 'no such file',
      change: (folder) => rmSync(folder, { recursive: true }),
    },
    {
      why: 'a file is not there',
      file: 'ca.crt',
      cause: 'no such file',
      change: (folder) => rmSync(join(folder, 'ca.crt')),
    },
    {
      why: 'a file is a folder',
      file: 'tls.key',
      cause: 'a folder, not a file',
      change: (folder) => {
        rmSync(join(folder, 'tls.key'));
        mkdirSync(join(folder, 'tls.key'));
      },
    },
    {
      why: 'the certificate is none',
      file: 'tls.crt',
      cause: 'no PEM certificate in it',
      change: (folder) => writeFileSync(join(folder, 'tls.crt'), 'hello'),
    },
    {
      why: 'the certificate is broken',
      file: 'ca.crt',
      cause: 'a PEM certificate in it cannot be read',
      change: (folder) =>
        writeFileSync(
          join(folder, 'ca.crt'),
          '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
        ),
    },
    {
      why: 'the key is none, without showing it',
      file: 'tls.key',
      cause: 'no PEM private key in it',
      change: (folder) => writeFileSync(join(folder, 'tls.key'), 'secret'),
    },
    {
      why: "the key is another certificate's",
      file: 'tls.key',
      cause: 'not the key of tls.crt',
      change: (folder) => writeFileSync(join(folder, 'tls.key'), ca.privateKey),
    },
  ];
  for (const { why, file, cause, change } of broken) {
    it(`says what is wrong when ${why}`, async () => {
      const { folder, remove } = certificateFolder(ca.issue('function'), ca);
      change(folder);
      await assert.rejects(readCertificates(folder), {
        problems: [
          {
            code: 'CERTIFICATES_UNUSABLE',
            path: '',
            message: `cannot use the certificates: ${join(folder, file)}: ${cause}`,
            hint: 'mount tls.crt, tls.key and ca.crt there, or pass --insecure for a trial on this machine',
          },
        ],
      });
      remove();
    });
  }
});

describe('watchedCredentials()', () => {
  it('takes up renewed certificates without a restart, and keeps the old while new ones are broken', async () => {
    const server = await running(() => RunFunctionResponse.decode(new Uint8Array()), {
      refreshMs: 20,
    });
    const renewed = authority('renewed-ca');
    const oldClient = clientCredentials(server.ca, server.ca.issue('crossplane'));
    const newClient = clientCredentials(renewed, renewed.issue('crossplane'));
    const answers = async (credentials = oldClient): Promise<boolean> => {
      const client = server.client(credentials);
      return call(client, RUN_FUNCTION, smallRequest()).then(
        () => true,
        ({ code }: { code: number }) => {
          assert.equal(code, status.UNAVAILABLE);
          return false;
        },
      );
    };
    assert.deepEqual([await answers(oldClient), await answers(newClient)], [true, false]);

    writeFileSync(join(server.folder.folder, 'tls.crt'), 'half written');
    await waitFor(async () => server.events.length > 1);
    assert.deepEqual([await answers(oldClient), await answers(newClient)], [true, false]);

    server.folder.write(renewed.issue('function'), renewed);
    await waitFor(() => answers(newClient));
    assert.equal(await answers(oldClient), false);
    const stranger = call(server.client(clientCredentials(renewed)), RUN_FUNCTION, smallRequest());
    assert.equal((await refusal(stranger)).code, status.UNAVAILABLE);
    // The three files are not exchanged at once here, so it may be renewed in two steps.
    assert.deepEqual(
      [...new Set(server.events.map(({ level, message }) => `${level} ${message}`))],
      ['info listening', 'warn certificates not renewed', 'info certificates renewed'],
    );
    await server.clean();
  });
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (await condition()) return;
    await sleep(10);
  }
  assert.fail('it did not come');
}
