package io.mcpbridge.gateway;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Extracts names from JSON of the bridge. */
final class Names {
    private static final Pattern NAME = Pattern.compile("\"name\":\"([^\"]*)\"");

    private Names() {}

    /** Every {@code name} in a list of tools, in order. */
    static List<String> of(String json) {
        return NAME.matcher(json)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
