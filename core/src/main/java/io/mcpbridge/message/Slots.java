package io.mcpbridge.message;

/** Numbers. */
final class Slots {
    static final int PARAMS_PROGRESS_TOKEN = Part.values().length;
    static final int JSONRPC = PARAMS_PROGRESS_TOKEN + 1;
    static final int COUNT = JSONRPC + 1;

    private Slots() {}
}
