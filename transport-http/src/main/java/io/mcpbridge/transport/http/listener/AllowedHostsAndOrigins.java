package io.mcpbridge.transport.http.listener;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Checks the headers {@code Host} and {@code Origin} of a request against the names and web origins that are allowed.
 *
 * <p>Protects against DNS rebinding: a web page whose name resolves to this machine still sends its own name.
 * Immutable.
 */
final class AllowedHostsAndOrigins {
    private static final Pattern AUTHORITY =
            Pattern.compile("(?<name>\\[[0-9a-f:.]+]|[a-z0-9._-]+)(:(?<port>\\d{1,5}))?");
    private static final Pattern ORIGIN = Pattern.compile("(?<scheme>[a-z][a-z0-9+.-]*)://(?<authority>[^/?#@]+)");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

    private final Set<String> hosts;
    private final Set<String> origins;

    AllowedHostsAndOrigins(String bound, List<String> allowedHosts, List<String> allowedOrigins) {
        var all = new java.util.HashSet<>(LOOPBACK);
        if (!ANY_ADDRESS.contains(bound)) {
            var name = bound.toLowerCase(Locale.ROOT);
            all.add(name.indexOf(':') >= 0 && !name.startsWith("[") ? "[" + name + "]" : name);
        }
        allowedHosts.forEach(each -> all.add(each.toLowerCase(Locale.ROOT)));
        this.hosts = Set.copyOf(all);
        this.origins = Set.copyOf(allowedOrigins.stream()
                .map(each -> each.toLowerCase(Locale.ROOT))
                .toList());
    }

    /** Whether the address is a loopback address. */
    static boolean isLoopback(String host) {
        return LOOPBACK.contains(host) || host.equals("::1");
    }

    static boolean isAuthority(String text) {
        return AUTHORITY.matcher(text.toLowerCase(Locale.ROOT)).matches();
    }

    static boolean isOrigin(String text) {
        var parts = ORIGIN.matcher(text.toLowerCase(Locale.ROOT));
        return parts.matches() && isAuthority(parts.group("authority"));
    }

    /** Whether this host is allowed. A name that was configured without a port is allowed with any port. */
    boolean isAllowedHost(String authority) {
        var folded = authority.toLowerCase(Locale.ROOT);
        var parts = AUTHORITY.matcher(folded);
        return parts.matches() && (hosts.contains(parts.group("name")) || hosts.contains(folded));
    }

    /** Whether pages of this origin may call: those of this machine and of configured origins. */
    boolean isAllowedOrigin(String origin) {
        var folded = origin.toLowerCase(Locale.ROOT);
        if (origins.contains(folded)) {
            return true;
        }
        var parts = ORIGIN.matcher(folded);
        if (!parts.matches() || !parts.group("scheme").matches("https?")) {
            return false;
        }
        var authority = AUTHORITY.matcher(parts.group("authority"));
        return authority.matches() && LOOPBACK.contains(authority.group("name"));
    }
}
