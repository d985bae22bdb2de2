package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mcpbridge.audit.internal.json.JsonBytes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The members of one object, in the order of RFC 8785 however they come. One thread at a time. */
final class Members {
    private static final int MOST = 24;
    private static final byte[] NOTHING = {};
    private static final byte[] COMMA = {','};

    /** Each key with quotes and a colon; there are few, all of them ours. */
    private final Map<String, byte[]> names = new HashMap<>();

    private final String[] keys = new String[MOST];
    private final Object[] values = new Object[MOST];
    private int size;

    void clear() {
        Arrays.fill(values, 0, size, "");
        size = 0;
    }

    /** Puts a value, in the place of one that is there; cheapest where keys come in their order. */
    void put(String key, Object value) {
        int at = size;
        int order = 1;
        while (at > 0 && (order = key.compareTo(keys[at - 1])) < 0) {
            at--;
        }
        if (at > 0 && order == 0) {
            values[at - 1] = value;
            return;
        }
        System.arraycopy(keys, at, keys, at + 1, size - at);
        System.arraycopy(values, at, values, at + 1, size - at);
        keys[at] = key;
        values[at] = value;
        size++;
    }

    /** Writes them with commas between. */
    void write(JsonBytes json) {
        for (int i = 0; i < size; i++) {
            json.raw(i == 0 ? NOTHING : COMMA).raw(name(keys[i])).value(values[i]);
        }
    }

    private byte[] name(String key) {
        var name = names.get(key);
        if (name == null) {
            name = ("\"" + key + "\":").getBytes(ISO_8859_1);
            names.put(key, name);
        }
        return name;
    }
}
