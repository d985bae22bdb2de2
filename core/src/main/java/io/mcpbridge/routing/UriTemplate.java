package io.mcpbridge.routing;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A URI template (RFC 6570), read to tell which URIs may have been made of it. Nothing is decoded or resolved: a
 * {@code ..} in a URI is two dots. Immutable.
 *
 * <p>Matching takes time in proportion to the lengths of template and URI, whatever a server writes.
 */
final class UriTemplate {
    static final int MAX_LENGTH = 2_048;
    static final int MAX_URI_LENGTH = 65_536;
    private static final int MAX_GAPS = 32;

    private final String prefix;
    private final List<Piece> pieces;

    private UriTemplate(String prefix, List<Piece> pieces) {
        this.prefix = prefix;
        this.pieces = pieces;
    }

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

    /** What every URI of this template begins with. */
    String prefix() {
        return prefix;
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
     * @param lead what stands before them; they may be missing together with it. Empty where they have to be there
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
