package io.mcpbridge.sandbox.worker;

/** What the exit code of a worker means. */
final class ExitWords {
    private static final int OUT_OF_MEMORY = 3;
    private static final int KILLED = 128 + 9;
    private static final int TOLD_TO_END = 128 + 15;

    private ExitWords() {}

    static String of(int code) {
        return "the worker ended with exit code %d%s".formatted(code, meaning(code));
    }

    private static String meaning(int code) {
        return switch (code) {
            case OUT_OF_MEMORY -> ", as it does when it runs out of memory";
            case KILLED -> ": it was killed";
            case TOLD_TO_END -> ": it was told to end";
            default -> "";
        };
    }
}
