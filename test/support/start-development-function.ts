// Starts test/support/development-function.ts for the time of one test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { projectFile } from '../../src/cli/project.ts';

/** The `host:port` of a canned function in a process of its own, which ends with the test. */
export async function startDevelopmentFunction(test: TestContext): Promise<string> {
  const script = projectFile('build', 'test', 'support', 'development-function.js');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  test.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const [port] = await once(child.stdout, 'data');
  return `127.0.0.1:${String(port).trim()}`;
}
