package io.mcpbridge.engine.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.engine.upstream.lists.ListItem;
import io.mcpbridge.engine.upstream.lists.ListKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds the server of a resource by its URI. Compares URIs and never opens, resolves or changes them. Any thread; never
 * waits.
 *
 * <p>The owner is the first server that lists the URI; else the server whose matching template has the longest literal
 * prefix; else the server that is configured for its scheme. A single server owns all URIs.
 */
record ResourceOwners(ListAggregator lists) {

    /** A template that matches, and the route to its server. */
    private record Fit(ServerRoute route, String prefix) {

        /** A template that begins with a variable matches every scheme. */
        boolean namesItsScheme() {
            return prefix.indexOf(':') > 0;
        }
    }

    /** Passes the owner to {@code then}; empty if no server owns the URI that this caller may use. */
    void find(RoutingTable table, Call call, String uri, Consumer<Optional<ServerRoute>> then) {
        if (!table.filter(ListKind.RESOURCES, call.caller()).test(uri)) {
            then.accept(Optional.empty());
            return;
        }
        var known = alone(table).or(() -> known(table, call.caller(), uri));
        if (known.isPresent()) {
            then.accept(known);
            return;
        }
        lists.mergeForOwner(
                table,
                call,
                ListKind.RESOURCES,
                resources -> lists.mergeForOwner(
                        table,
                        call,
                        ListKind.TEMPLATES,
                        templates -> then.accept(
                                known(table, call.caller(), uri).or(() -> blanket(table, call.caller(), uri)))));
    }

    /** Does the same for the reference of a completion, which may be a template itself. */
    void findReferred(RoutingTable table, Call call, String uriOrTemplate, Consumer<Optional<ServerRoute>> then) {
        if (!table.filter(ListKind.TEMPLATES, call.caller()).test(uriOrTemplate)) {
            then.accept(Optional.empty());
            return;
        }
        var known = alone(table).or(() -> ofTemplate(table, call.caller(), uriOrTemplate));
        if (known.isPresent()) {
            then.accept(known);
            return;
        }
        lists.mergeForOwner(table, call, ListKind.TEMPLATES, templates -> {
            var owner = ofTemplate(table, call.caller(), uriOrTemplate);
            if (owner.isPresent()) {
                then.accept(owner);
            } else {
                find(table, call, uriOrTemplate, then);
            }
        });
    }

    private static Optional<ServerRoute> ofTemplate(RoutingTable table, Caller caller, String template) {
        return table.all().stream()
                .filter(route -> route.lists()
                        .of(ListKind.TEMPLATES)
                        .find(caller, template)
                        .isPresent())
                .findFirst();
    }

    private static Optional<ServerRoute> alone(RoutingTable table) {
        return table.all().size() == 1 ? table.all().stream().findFirst() : Optional.empty();
    }

    /** Finds the owner by the cached lists of the servers. */
    private static Optional<ServerRoute> known(RoutingTable table, Caller caller, String uri) {
        return table.all().stream()
                .filter(route ->
                        route.lists().of(ListKind.RESOURCES).find(caller, uri).isPresent())
                .findFirst()
                .or(() -> fit(table, caller, uri).filter(Fit::namesItsScheme).map(Fit::route));
    }

    /**
     * Finds the owner of a URI that no server lists. A configured scheme precedes a template that matches any scheme.
     */
    private static Optional<ServerRoute> blanket(RoutingTable table, Caller caller, String uri) {
        return ofScheme(table, uri).or(() -> fit(table, caller, uri).map(Fit::route));
    }

    private static Optional<Fit> fit(RoutingTable table, Caller caller, String uri) {
        Fit best = null;
        for (var route : table.all()) {
            for (var template : route.lists().of(ListKind.TEMPLATES).of(caller).cached()) {
                var fit = fit(route, template, uri);
                if (fit.isPresent() && (best == null || fit.get().prefix.length() > best.prefix.length())) {
                    best = fit.get();
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static Optional<Fit> fit(ServerRoute route, ListItem template, String uri) {
        return UriTemplate.parse(template.key())
                .filter(parsed -> parsed.matches(uri))
                .map(parsed -> new Fit(route, parsed.prefix()));
    }

    private static Optional<ServerRoute> ofScheme(RoutingTable table, String uri) {
        var scheme = uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT);
        return table.all().stream()
                .filter(route -> route.upstream().settings().schemes().contains(scheme))
                .findFirst();
    }

    /**
     * A URI template (RFC 6570) that matches its possible expansions. Does not decode or resolve URIs: {@code ..} is
     * two dots. Immutable.
     *
     * <p>Matching takes time proportional to the lengths of template and URI, whatever template a server sends.
     *
     * @param prefix the literal beginning of every URI of this template
     */
    record UriTemplate(String prefix, List<Piece> pieces) {

        static final int MAX_LENGTH = 2_048;
        static final int MAX_URI_LENGTH = 65_536;
        private static final int MAX_GAPS = 32;

        /** Reads a template; empty if the text is no template or is too long. */
        static Optional<UriTemplate> parse(String text) {
            var pieces = new ArrayList<Piece>();
            var at = 0;
            while (at < text.length()) {
                var open = text.indexOf('{', at);
                var literal = text.substring(at, open < 0 ? text.length() : open);
                pieces.add(new Literal(literal));
                var close = open < 0 ? text.length() : text.indexOf('}', open);
                if (close < 0 || close == open + 1) {
                    return Optional.empty();
                }
                if (open >= 0) {
                    pieces.addAll(Gap.read(text.substring(open + 1, close)));
                }
                at = close + 1;
            }
            var isHonest = text.length() <= MAX_LENGTH && pieces.size() <= 2 * MAX_GAPS;
            return isHonest ? Optional.of(new UriTemplate(prefix(text), List.copyOf(pieces))) : Optional.empty();
        }

        private static String prefix(String text) {
            var open = text.indexOf('{');
            return open < 0 ? text : text.substring(0, open);
        }

        boolean matches(String uri) {
            if (uri.length() > MAX_URI_LENGTH || !uri.startsWith(prefix)) {
                return false;
            }
            var reached = new BitSet();
            reached.set(0);
            for (var piece : pieces) {
                reached = piece.pass(uri, reached);
            }
            return reached.get(uri.length());
        }

        /** One part of a template; maps the positions in the URI at which it may begin to those at which it may end. */
        private interface Piece {
            BitSet pass(String uri, BitSet from);
        }

        private record Literal(String text) implements Piece {
            @Override
            public BitSet pass(String uri, BitSet from) {
                var ends = new BitSet();
                for (int at = from.nextSetBit(0); at >= 0; at = from.nextSetBit(at + 1)) {
                    if (uri.startsWith(text, at)) {
                        ends.set(at + text.length());
                    }
                }
                return ends;
            }
        }

        /**
         * A variable in a template.
         *
         * @param lead the text before its values, which may be missing together with them; empty if they are required
         * @param excluded characters that the values cannot contain unescaped
         */
        private record Gap(String lead, String excluded) implements Piece {
            private static final String SEGMENT = "/?#";

            /** The gaps of one expression, such as {@code +path}. */
            static List<Gap> read(String expression) {
                return switch (expression.charAt(0)) {
                    case '+' -> List.of(new Gap("", ""));
                    case '#' -> List.of(new Gap("#", ""));
                    case '.' -> List.of(new Gap(".", SEGMENT));
                    case ';' -> List.of(new Gap(";", SEGMENT));
                    case '?' -> List.of(new Gap("?", "#"));
                    case '&' -> List.of(new Gap("&", "#"));
                    case '/' -> path(expression);
                    default -> List.of(new Gap("", SEGMENT));
                };
            }

            private static List<Gap> path(String expression) {
                if (expression.endsWith("*")) {
                    return List.of(new Gap("/", "?#"));
                }
                var gaps = new ArrayList<Gap>();
                for (int i = 0; i < expression.length() && gaps.size() <= 2 * MAX_GAPS; i++) {
                    if (i == 0 || expression.charAt(i) == ',') {
                        gaps.add(new Gap("/", SEGMENT));
                    }
                }
                return gaps;
            }

            @Override
            public BitSet pass(String uri, BitSet from) {
                var ends = new BitSet();
                for (int at = from.nextSetBit(0); at >= 0; at = from.nextSetBit(at + 1)) {
                    if (uri.startsWith(lead, at)) {
                        extend(uri, at + lead.length(), ends);
                    }
                }
                if (!lead.isEmpty()) {
                    ends.or(from);
                }
                return ends;
            }

            /**
             * Marks where values that begin here may end; stops where another beginning has marked the ends already.
             */
            private void extend(String uri, int begin, BitSet ends) {
                if (!lead.isEmpty()) {
                    ends.set(begin);
                }
                for (int at = begin; at < uri.length() && excluded.indexOf(uri.charAt(at)) < 0; at++) {
                    if (ends.get(at + 1)) {
                        return;
                    }
                    ends.set(at + 1);
                }
            }
        }
    }
}
