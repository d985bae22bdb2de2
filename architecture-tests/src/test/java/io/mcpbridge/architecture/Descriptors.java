package io.mcpbridge.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The compiled {@code module-info} of each module that has one, by the module's name in the build. */
final class Descriptors {
    private static final String PREFIX = "io.mcpbridge.";

    private static final Map<String, ModuleDescriptor> ALL = read();

    private Descriptors() {}

    /** The modules that have one. */
    static Set<String> names() {
        return ALL.keySet();
    }

    static ModuleDescriptor of(String module) {
        return Objects.requireNonNull(ALL.get(module), module);
    }

    /** Whether everyone may use this package: exported without a target, or not internal where there is no descriptor. */
    static boolean isExported(String module, String packageName) {
        return Optional.ofNullable(ALL.get(module))
                .map(descriptor -> descriptor.exports().stream()
                        .anyMatch(it -> !it.isQualified() && it.source().equals(packageName)))
                .orElseGet(() -> !packageName.contains(".internal"));
    }

    private static Map<String, ModuleDescriptor> read() {
        var found = new TreeMap<String, ModuleDescriptor>();
        try {
            for (URL file : Collections.list(Descriptors.class.getClassLoader().getResources("module-info.class"))) {
                try (var bytes = file.openStream()) {
                    var descriptor = ModuleDescriptor.read(bytes);
                    if (descriptor.name().startsWith(PREFIX)) {
                        found.put(descriptor.name().substring(PREFIX.length()).replace('.', '-'), descriptor);
                    }
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return Collections.unmodifiableMap(found);
    }
}
