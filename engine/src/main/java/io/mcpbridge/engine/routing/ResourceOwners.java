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
 * Finds the server of a resource by its URI, which is compared and never opened, resolved or changed. Any thread;
 * never waits.
 *
 * <p>The owner is the first server that lists it; else the server with the matching template, that with the longest literal
 * beginning first; else the server that is configured for its scheme. A single server owns all.
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
    void find(Routes table, Call call, String uri, Consumer<Optional<ServerRoute>> then) {
        var known = alone(table).or(() -> known(table, call.caller(), uri));
        if (known.isPresent()) {
            then.accept(known);
            return;
        }
        lists.mergeCached(
                table,
                call,
                ListKind.RESOURCES,
                resources -> lists.mergeCached(
                        table,
                        call,
                        ListKind.TEMPLATES,
                        templates -> then.accept(
                                known(table, call.caller(), uri).or(() -> blanket(table, call.caller(), uri)))));
    }

    /** The same for a completion's reference, which may be a template itself. */
    void findReferred(Routes table, Call call, String uriOrTemplate, Consumer<Optional<ServerRoute>> then) {
        var known = alone(table).or(() -> ofTemplate(table, call.caller(), uriOrTemplate));
        if (known.isPresent()) {
            then.accept(known);
            return;
        }
        lists.mergeCached(table, call, ListKind.TEMPLATES, templates -> {
            var owner = ofTemplate(table, call.caller(), uriOrTemplate);
            if (owner.isPresent()) {
                then.accept(owner);
            } else {
                find(table, call, uriOrTemplate, then);
            }
        });
    }

    private static Optional<ServerRoute> ofTemplate(Routes table, Caller caller, String template) {
        return table.all().stream()
                .filter(route -> route.lists()
                        .of(ListKind.TEMPLATES)
                        .find(caller, template)
                        .isPresent())
                .findFirst();
    }

    private static Optional<ServerRoute> alone(Routes table) {
        return table.all().size() == 1 ? table.all().stream().findFirst() : Optional.empty();
    }

    /** The owner by the last lists of the servers. */
    private static Optional<ServerRoute> known(Routes table, Caller caller, String uri) {
        return table.all().stream()
                .filter(route ->
                        route.lists().of(ListKind.RESOURCES).find(caller, uri).isPresent())
                .findFirst()
                .or(() -> fit(table, caller, uri).filter(Fit::namesItsScheme).map(Fit::route));
    }

    /** The owner of a URI that no server lists: a configured scheme precedes a template that matches any scheme. */
    private static Optional<ServerRoute> blanket(Routes table, Caller caller, String uri) {
        return ofScheme(table, uri).or(() -> fit(table, caller, uri).map(Fit::route));
    }

    private static Optional<Fit> fit(Routes table, Caller caller, String uri) {
        Fit best = null;
        for (var route : table.all()) {
            for (var template : route.lists().of(ListKind.TEMPLATES).of(caller).cached()) {
                var fit = fit(route, template, uri);
                if (fit.isPresent() && (best == null || isLonger(fit.get(), best))) {
                    best = fit.get();
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean isLonger(Fit fit, Fit than) {
        return fit.prefix.length() > than.prefix.length();
    }

    private static Optional<Fit> fit(ServerRoute route, ListItem template, String uri) {
        return UriTemplate.parse(template.key())
                .filter(parsed -> parsed.matches(uri))
                .map(parsed -> new Fit(route, parsed.prefix()));
    }

    private static Optional<ServerRoute> ofScheme(Routes table, String uri) {
        var scheme = uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT);
        return table.all().stream()
                .filter(route -> route.upstream().settings().schemes().contains(scheme))
                .findFirst();
    }

    /**
     * A URI template (RFC 6570), which matches the URIs that it may expand to. Nothing is decoded or resolved: a
     * {@code ..} in a URI is two dots. Immutable.
     *
     * <p>Matching takes time in proportion to the lengths of template and URI, whatever a server writes.
     *
     * @param prefix what every URI of this template begins with
     */
    record UriTemplate(String prefix, List<Piece> pieces) {

        static final int MAX_LENGTH = 2_048;
        static final int MAX_URI_LENGTH = 65_536;
        private static final int MAX_GAPS = 32;

        /** Reads a template; empty if it is none, or longer than any honest one. */
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

        /** One part of a template: where in the URI it may end, by where it may begin. */
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
         * A place for values.
         *
         * @param lead the text before them, which may be missing together with them; empty if they are required
         * @param excluded what they cannot contain unescaped
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

            /** Marks where values that begin here may end; stops where that is known from another beginning. */
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
