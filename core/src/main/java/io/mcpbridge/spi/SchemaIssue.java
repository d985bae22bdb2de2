package io.mcpbridge.spi;

/**
 * One way in which a value breaks its schema.
 *
 * @param path where, as a JSON pointer; the empty string is the value itself
 * @param message what is wrong and what would be right
 */
public record SchemaIssue(String path, String message) {

    /** As it is written for people. */
    @Override
    public String toString() {
        return path.isEmpty() ? message : path + ": " + message;
    }
}
