package io.mcpbridge.message;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.List;

/** A hash table of fixed names that looks up bytes of a message without creating a string. */
final class NameTable {

    static final int NOT_FOUND = -1;

    private final byte[][] names;
    private final int[] buckets;

    NameTable(List<String> names) {
        this.names = names.stream().map(name -> name.getBytes(US_ASCII)).toArray(byte[][]::new);
        this.buckets = new int[Integer.highestOneBit(names.size()) * 8];
        Arrays.fill(buckets, NOT_FOUND);
        for (int i = 0; i < names.size(); i++) {
            insert(i);
        }
    }

    /** The index of the name with these bytes, or {@link #NOT_FOUND}. */
    int find(byte[] bytes, int from, int to) {
        if (from == to) {
            return NOT_FOUND;
        }
        int bucket = bucket(bytes, from, to);
        while (buckets[bucket] != NOT_FOUND) {
            byte[] name = names[buckets[bucket]];
            if (Arrays.equals(name, 0, name.length, bytes, from, to)) {
                return buckets[bucket];
            }
            bucket = next(bucket);
        }
        return NOT_FOUND;
    }

    private void insert(int index) {
        int bucket = bucket(names[index], 0, names[index].length);
        while (buckets[bucket] != NOT_FOUND) {
            bucket = next(bucket);
        }
        buckets[bucket] = index;
    }

    private int next(int bucket) {
        return (bucket + 1) & (buckets.length - 1);
    }

    /** Hashes the length and three letters, which spread the names of the protocol well enough. */
    private int bucket(byte[] bytes, int from, int to) {
        int length = to - from;
        int mixed = ((length * 31 + bytes[from]) * 31 + bytes[from + length / 2]) * 31 + bytes[to - 1];
        return (mixed ^ (mixed >>> 7)) & (buckets.length - 1);
    }
}
