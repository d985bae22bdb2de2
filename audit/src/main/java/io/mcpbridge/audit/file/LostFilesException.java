package io.mcpbridge.audit.file;

import java.io.IOException;

/** The files of the trail are not where they were: what is written to them would be found by nobody. */
final class LostFilesException extends IOException {
    private static final long serialVersionUID = 1L;

    LostFilesException(String message) {
        super(message);
    }
}
