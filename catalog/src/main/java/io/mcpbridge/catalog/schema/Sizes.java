package io.mcpbridge.catalog.schema;

import tools.jackson.databind.JsonNode;

/** How much there is to look at in a value. Pure. */
final class Sizes {
    /** So many characters of a text are looked at as fast as one value. */
    private static final int CHARACTERS = 16;

    private Sizes() {}

    /** Of the value itself: its length, or how many elements or members it has. */
    static long of(JsonNode value) {
        return 1L + (value.isString() ? value.stringValue().length() / CHARACTERS : value.size());
    }

    /** Of the value and all that is in it; what it costs to find that out is what is taken from {@code allowance}. */
    static void takeAll(JsonNode value, Allowances.Allowance allowance) {
        allowance.work(of(value));
        if (value.isObject()) {
            for (var member : value.properties()) {
                allowance.work(1L + member.getKey().length() / CHARACTERS);
                takeAll(member.getValue(), allowance);
            }
        } else if (value.isArray()) {
            for (var element : value) {
                takeAll(element, allowance);
            }
        }
    }
}
