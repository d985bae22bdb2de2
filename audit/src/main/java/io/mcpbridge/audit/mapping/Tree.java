package io.mcpbridge.audit.mapping;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Collects members of nested objects by paths with dots; what is absent is left out. */
final class Tree {
    private final TreeMap<String, Object> members = new TreeMap<>();

    Tree put(String path, Object value) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            members.put(path, value);
            return this;
        }
        inner(path.substring(0, dot)).put(path.substring(dot + 1), value);
        return this;
    }

    Tree put(String path, Optional<?> value) {
        value.ifPresent(each -> put(path, each));
        return this;
    }

    private Tree inner(String key) {
        if (members.computeIfAbsent(key, absent -> new Tree()) instanceof Tree inner) {
            return inner;
        }
        throw new IllegalArgumentException("'%s' has a value and cannot have members".formatted(key));
    }

    /** Maps within maps. */
    Map<String, Object> toMap() {
        var map = new TreeMap<String, Object>();
        members.forEach((key, value) -> map.put(key, value instanceof Tree inner ? inner.toMap() : value));
        return map;
    }
}
