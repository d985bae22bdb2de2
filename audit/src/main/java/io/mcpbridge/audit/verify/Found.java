package io.mcpbridge.audit.verify;

import io.mcpbridge.audit.verify.AuditFault.Kind;

/** Signals the first fault of a trail; never leaves this package. */
final class Found extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient AuditFault fault;

    Found(Kind kind, String file, long line, long sequence, String message) {
        super(message, null, false, false);
        this.fault = new AuditFault(kind, file, line, sequence, message);
    }

    AuditFault fault() {
        return fault;
    }
}
