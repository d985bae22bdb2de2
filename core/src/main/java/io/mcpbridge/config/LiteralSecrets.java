package io.mcpbridge.config;

import io.mcpbridge.internal.json.JsonNode;
import io.mcpbridge.spi.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds the secrets that stand in a configuration as they are, rather than in variables and files: tokens, headers, what
 * stands beside a name that looks secret, and users with their passwords in addresses. For one document.
 */
final class LiteralSecrets {
    private static final Pattern SECRET_NAME = Pattern.compile(
            ".*(password|passwd|passphrase|passcode|pwd|secret|token|credential|authorization|cookie|.key|apikey|_pat|_auth)$");

    /** What a client says of itself and of what it takes. */
    private static final Pattern HARMLESS_HEADER = Pattern.compile(
            "(accept|content|cache|if|sec)-.*|accept|user-agent|origin|referer|host|connection|via|date");

    /** Objects of which each text is a secret. */
    private static final Set<String> ALL_SECRET = Set.of("tokens");

    private static final Pattern USER_OF_ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://([^/\\s@]+)@");
    private static final Pattern SECRET_OF_QUERY = Pattern.compile("[?&]([^=&#\\s]+)=([^&#\\s]+)");
    private static final Pattern OPTION = Pattern.compile("--?([A-Za-z][A-Za-z0-9_-]*)(=(.*))?", Pattern.DOTALL);
    private static final Pattern SCHEME = Pattern.compile("(?i)(bearer|basic|token) +");
    private static final String HEADERS = "headers";

    private final List<Secret> found = new ArrayList<>();

    private LiteralSecrets() {}

    /** All that are found in a document. */
    static List<Secret> in(JsonNode document) {
        var secrets = new LiteralSecrets();
        secrets.read(document, "", "");
        return List.copyOf(secrets.found);
    }

    private void read(JsonNode node, String name, String outer) {
        if (node.value() instanceof Map<?, ?>) {
            node.members().forEach((key, member) -> read(member, key, name));
        } else if (node.value() instanceof List<?> list) {
            readList(list);
        } else if (node.value() instanceof String text) {
            if (isSecret(name, outer)) {
                add(text);
            }
            readAddress(text);
        }
    }

    private static boolean isSecret(String name, String outer) {
        return outer.equals(HEADERS)
                ? !HARMLESS_HEADER.matcher(name.toLowerCase(Locale.ROOT)).matches()
                : ALL_SECRET.contains(outer) || looksSecret(name);
    }

    private static boolean looksSecret(String name) {
        return SECRET_NAME.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }

    /** The arguments of a command: {@code --token x}, {@code --token=x}. */
    private void readList(List<?> list) {
        var isValue = false;
        for (var each : list) {
            var text = each instanceof JsonNode node && node.value() instanceof String value ? value : "";
            var option = OPTION.matcher(text);
            if (isValue) {
                add(text);
            }
            var isOption = option.matches() && looksSecret(option.group(1));
            if (isOption && option.group(3) != null) {
                add(option.group(3));
            }
            isValue = isOption && option.group(2) == null;
            readAddress(text);
        }
    }

    private void readAddress(String text) {
        var user = USER_OF_ADDRESS.matcher(text);
        while (user.find()) {
            var colon = user.group(1).indexOf(':');
            add(colon < 0 ? user.group(1) : user.group(1).substring(colon + 1));
        }
        var query = SECRET_OF_QUERY.matcher(text);
        while (text.contains("://") && query.find()) {
            if (looksSecret(query.group(1))) {
                add(query.group(2));
            }
        }
    }

    /** What is filled in is known by itself, and where a file lies is no secret. */
    private void add(String text) {
        var value = SCHEME.matcher(text).replaceFirst("");
        if (!value.contains("${") && !Filling.isPath(value)) {
            found.add(Secret.of(value));
        }
    }
}
