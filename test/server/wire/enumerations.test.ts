import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ready, Severity, Status, Target } from '../../../src/crossplane/protocol.ts';
import {
  READY,
  SEVERITY,
  STATUS,
  TARGET_COMPOSITE,
} from '../../../src/server/wire/enumerations.ts';

describe('enumerations', () => {
  it("have the SDK's numbers", () => {
    assert.deepEqual(READY, {
      unspecified: Ready.READY_UNSPECIFIED,
      yes: Ready.READY_TRUE,
      no: Ready.READY_FALSE,
    });
    assert.deepEqual(SEVERITY, {
      fatal: Severity.SEVERITY_FATAL,
      warning: Severity.SEVERITY_WARNING,
      normal: Severity.SEVERITY_NORMAL,
    });
    assert.deepEqual(STATUS, {
      Unknown: Status.STATUS_CONDITION_UNKNOWN,
      True: Status.STATUS_CONDITION_TRUE,
      False: Status.STATUS_CONDITION_FALSE,
    });
    assert.equal(TARGET_COMPOSITE, Target.TARGET_COMPOSITE);
  });
});
