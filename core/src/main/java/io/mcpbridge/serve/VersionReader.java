package io.mcpbridge.serve;

/** Tells the version of the program that serves. */
@FunctionalInterface
public interface VersionReader {

    /**
     * The version.
     *
     * @throws Exception if it cannot be told; the message says why
     */
    String read() throws Exception;
}
