package io.mcpbridge.catalog.check;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.SchemaCheck;
import io.mcpbridge.spi.SchemaCheck.SchemaIssue;
import io.mcpbridge.spi.SchemaCheckProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A cache of compiled schemas by their text; tools with equal schemas share one. Evicts the least recently used. Any
 * thread; two threads may compile the same schema at once.
 */
final class CompiledSchemaCache {
    /** The characters of all cached schemas. */
    static final long MAX_CHARACTERS = 16 << 20;

    private final SchemaCheckProvider provider;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Compiled> cache = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long characters;

    CompiledSchemaCache(SchemaCheckProvider provider) {
        this.provider = provider;
    }

    /** Why a schema cannot be used; empty if it can. */
    Optional<String> fault(String schemaJson) {
        return compiled(schemaJson).fault();
    }

    /** The issues of a value; a schema that cannot be used is an issue itself. */
    List<SchemaIssue> issues(String schemaJson, String json) {
        return compiled(schemaJson).check().issues(json);
    }

    /** The number of cached schemas. */
    int size() {
        lock.lock();
        try {
            return cache.size();
        } finally {
            lock.unlock();
        }
    }

    private Compiled compiled(String schemaJson) {
        lock.lock();
        try {
            var known = cache.get(schemaJson);
            if (known != null) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        var compiled = compile(schemaJson);
        put(schemaJson, compiled);
        return compiled;
    }

    private Compiled compile(String schemaJson) {
        try {
            return new Compiled(provider.compile(schemaJson), Optional.empty());
        } catch (ConfigurationException invalid) {
            return unusable(String.valueOf(invalid.getMessage()));
        } catch (RuntimeException | StackOverflowError defect) {
            return unusable("the schema cannot be read: " + defect);
        }
    }

    private static Compiled unusable(String why) {
        var issues = List.of(new SchemaIssue("", why));
        return new Compiled(json -> issues, Optional.of(why));
    }

    private void put(String schemaJson, Compiled compiled) {
        lock.lock();
        try {
            if (cache.put(schemaJson, compiled) == null) {
                characters += schemaJson.length();
            }
            var oldest = cache.entrySet().iterator();
            while (characters > MAX_CHARACTERS && oldest.hasNext()) {
                characters -= oldest.next().getKey().length();
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A check, and why its schema cannot be used, if so. */
    private record Compiled(SchemaCheck check, Optional<String> fault) {}
}
