// The proxy variables that celld's HTTP client honors; the AWS SDK alone of the three does not read them.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { HttpProxyAgent } from 'http-proxy-agent';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { getProxyForUrl } from 'proxy-from-env';

export interface Agents {
  readonly httpAgent: HttpAgent;
  readonly httpsAgent: HttpsAgent;
}

/**
 * Agents for one target, through HTTP_PROXY or HTTPS_PROXY unless NO_PROXY names it. Connections are
 * not kept: a process that has its answer ends.
 */
export function agentsFor(url: string): Agents {
  const proxy = getProxyForUrl(url);
  return proxy === ''
    ? {
        httpAgent: new HttpAgent({ keepAlive: false }),
        httpsAgent: new HttpsAgent({ keepAlive: false }),
      }
    : { httpAgent: new HttpProxyAgent(proxy), httpsAgent: new HttpsProxyAgent(proxy) };
}
