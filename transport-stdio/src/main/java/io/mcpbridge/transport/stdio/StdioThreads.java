package io.mcpbridge.transport.stdio;

/** Creates the platform threads of this module, which do not keep the JVM alive. */
final class StdioThreads {
    private StdioThreads() {}

    static Thread start(String name, Runnable work) {
        var thread = of(name, work);
        thread.start();
        return thread;
    }

    static Thread of(String name, Runnable work) {
        var thread = new Thread(work, "mcp-bridge-" + name);
        thread.setDaemon(true);
        return thread;
    }
}
