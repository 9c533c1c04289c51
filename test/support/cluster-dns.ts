// The DNS of a cluster that is this machine: every name of a Service leads to loopback. Loading it is
// enough, so that a child process gets it by NODE_OPTIONS=--import.
import dns, { type LookupAddress, type LookupOptions } from 'node:dns';

type Callback = (
  error: NodeJS.ErrnoException | null,
  address: string | readonly LookupAddress[],
  family?: number,
) => void;

const lookup = dns.lookup as (name: string, options: LookupOptions, callback: Callback) => void;

/** Stands in for `dns.lookup`, which every socket that is given a name calls. */
function lookupInCluster(name: string, options: LookupOptions, callback: Callback): void {
  if (!name.endsWith('.svc')) {
    lookup(name, options, callback);
    return;
  }
  const address = { address: '127.0.0.1', family: 4 };
  process.nextTick(() => {
    if (options.all === true) callback(null, [address]);
    else callback(null, address.address, address.family);
  });
}

Object.assign(dns, { lookup: lookupInCluster });
