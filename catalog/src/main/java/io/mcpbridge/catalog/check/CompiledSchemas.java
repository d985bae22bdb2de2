package io.mcpbridge.catalog.check;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheckProvider;
import io.mcpbridge.spi.SchemaIssue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Schemas that were compiled once, by what they say: whichever tool of whichever server has the same schema shares it.
 * What was used longest ago goes when there is too much. Any thread; two may compile one schema at a time.
 */
final class CompiledSchemas {
    /** How many characters the schemas have together that are kept. */
    static final long MAX_CHARACTERS = 16 << 20;

    private final SchemaCheckProvider provider;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Compiled> kept = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long characters;

    CompiledSchemas(SchemaCheckProvider provider) {
        this.provider = provider;
    }

    /** Why nothing can be compared with a schema; empty where something can. */
    Optional<String> fault(String schemaJson) {
        return compiled(schemaJson).fault();
    }

    /** What is wrong with a value; one that has a schema which cannot be checked has that as its issue. */
    List<SchemaIssue> issues(String schemaJson, String json) {
        return compiled(schemaJson).check().issues(json);
    }

    /** How many schemas are kept. */
    int size() {
        lock.lock();
        try {
            return kept.size();
        } finally {
            lock.unlock();
        }
    }

    private Compiled compiled(String schemaJson) {
        lock.lock();
        try {
            var known = kept.get(schemaJson);
            if (known != null) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        var compiled = compile(schemaJson);
        keep(schemaJson, compiled);
        return compiled;
    }

    private Compiled compile(String schemaJson) {
        try {
            return new Compiled(provider.compile(schemaJson), Optional.empty());
        } catch (ConfigurationException unfit) {
            return unusable(String.valueOf(unfit.getMessage()));
        } catch (RuntimeException | StackOverflowError defect) {
            return unusable("the schema cannot be read: " + defect);
        }
    }

    private static Compiled unusable(String why) {
        var issues = List.of(new SchemaIssue("", why));
        return new Compiled(json -> issues, Optional.of(why));
    }

    private void keep(String schemaJson, Compiled compiled) {
        lock.lock();
        try {
            if (kept.put(schemaJson, compiled) == null) {
                characters += schemaJson.length();
            }
            var oldest = kept.entrySet().iterator();
            while (characters > MAX_CHARACTERS && oldest.hasNext()) {
                characters -= oldest.next().getKey().length();
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A schema that can be compared with, or one that cannot and why. */
    private record Compiled(SchemaCheck check, Optional<String> fault) {}
}
