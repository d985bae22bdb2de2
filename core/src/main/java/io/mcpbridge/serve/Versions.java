package io.mcpbridge.serve;

import io.mcpbridge.failure.ConfigurationException;

/** Where the version of a server comes from. */
final class Versions {

    private Versions() {}

    /** Reads the version of the artifact that {@code type} came in, from its manifest. */
    static VersionReader ofArtifact(Class<?> type) {
        return () -> {
            var version = type.getPackage().getImplementationVersion();
            if (version == null) {
                throw new IllegalStateException(
                        "the manifest beside '%s' has no Implementation-Version; name a version in the options"
                                .formatted(type.getName()));
            }
            return version;
        };
    }

    /**
     * What the reader says.
     *
     * @throws ConfigurationException if it says nothing
     */
    static String read(VersionReader reader) {
        try {
            var version = reader.read();
            if (version.isBlank()) {
                throw new IllegalStateException("it is empty");
            }
            return version;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw failed("interrupted");
        } catch (Exception unreadable) {
            throw failed(Words.of(unreadable));
        }
    }

    private static ConfigurationException failed(String why) {
        return ConfigurationException.of("Failed to read mcp-bridge version: " + why);
    }
}
