// The deployment a fleet serves until somebody deploys: one module, its manifest, two pointers.
//
// The hashes are the strict set that later celld releases check; earlier ones ask for less.
import { canonicalText } from '../core/json.ts';

export interface PlaceholderObject {
  readonly key: string;
  readonly body: string;
}

const MODULE = `export default {
  fetch() {
    return new Response("no application deployed yet\\n", { status: 503, headers: { "retry-after": "30" } });
  },
};
`;

const SCRIPT_NAME = 'placeholder';
const METADATA = { bindings: [], compatibility_date: '2026-01-01', main_module: 'index.js' };
const MODULE_SHA256 = 'aa8332a04108bfc1cfbb122439cc6631fe93eb6af472827b209ddbe53953b3f7';

/** First 16 hex digits of SHA-256 over name, zero byte and bytes of each module, then the metadata. */
const VERSION = 'f4c84e5ad87bd05e';

const FOLDER = `deploy/${SCRIPT_NAME}/${VERSION}`;

const POINTER = canonicalText({
  script_name: SCRIPT_NAME,
  version: VERSION,
  prefix: FOLDER,
  rollout: { percent: 100 },
});

/** The key every node reads to learn what to run: where it exists, a fleet has an application. */
export const FLEET_POINTER = 'deploy/current.json';

/** The objects of the placeholder in the order `celld deploy` writes: what is pointed at comes first. */
export const PLACEHOLDER: readonly PlaceholderObject[] = [
  { key: `${FOLDER}/index.js`, body: MODULE },
  {
    key: `${FOLDER}/manifest.json`,
    body: canonicalText({
      schema_version: 1,
      version: VERSION,
      script_name: SCRIPT_NAME,
      main_module: 'index.js',
      do_classes: [],
      sqlite_classes: [],
      modules: [{ name: 'index.js', bytes: MODULE.length, sha256: MODULE_SHA256 }],
      raw_metadata: METADATA,
    }),
  },
  { key: `deploy/${SCRIPT_NAME}/current.json`, body: POINTER },
  { key: FLEET_POINTER, body: POINTER },
];
