package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.call.JsonRpcErrorMapper;
import io.mcpbridge.config.ListLimits;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.RawJsonParts;
import io.mcpbridge.message.Response;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads all pages of one list of one server, and rejects each element that breaks the protocol. Used once; one thread at a
 * time.
 */
public final class ListPager<T> {
    private final ListKind<T> kind;
    private final String server;
    private final Era era;
    private final ListLimits limits;
    private final Listener<T> listener;
    private final CursorTracker trail;
    private final Map<String, T> items = new LinkedHashMap<>();
    private final List<Rejected> rejected = new ArrayList<>();
    private int seen;
    private long bytes;
    private boolean isCut;
    private Validity validity = Validity.FOREVER;

    /** Asks the server for the pages, judges the elements, and receives once the end. */
    public interface Listener<T> {

        /** Sends a request; {@code then} receives the response. If there is none, the listener ends the listing. */
        void request(String method, String params, Consumer<Response> then);

        /** Why an element is not usable; empty if it is. */
        Optional<String> flaw(T element);

        void listed(Listing<T> listed);

        void failed(Failure why);
    }

    /**
     * Prepares a listing.
     *
     * @param server the server's configured name
     * @param era the era that it speaks
     */
    public ListPager(ListKind<T> kind, String server, Era era, ListLimits limits, Listener<T> listener) {
        this.kind = kind;
        this.server = server;
        this.era = era;
        this.limits = limits;
        this.listener = listener;
        this.trail = new CursorTracker(kind.member());
    }

    /** Asks for the first page. */
    public void begin() {
        ask("{}");
    }

    private void ask(String params) {
        listener.request(kind.method(), params, this::answered);
    }

    private void answered(Response response) {
        if (response.isError()) {
            failed(JsonRpcErrorMapper.toFailure(response).withServer(server));
            return;
        }
        Optional<String> next;
        try {
            next = take(response);
        } catch (BridgeException unusable) {
            listener.failed(invalid(unusable.failure().message()));
            return;
        }
        next.ifPresentOrElse(this::ask, this::end);
    }

    /** Many servers with resources have no templates, for example, and say so only when they are asked. */
    private void failed(Failure why) {
        var isUnknownMethod = why.serverError()
                .filter(error -> error.code() == ErrorCode.METHOD_NOT_FOUND.jsonRpcCode())
                .isPresent();
        if (isUnknownMethod && kind != ListKind.TOOLS) {
            listener.listed(Listing.empty());
        } else {
            listener.failed(why);
        }
    }

    /** Reads a page; returns the params of the request for the next one, or empty if there is none that is of use. */
    private Optional<String> take(Response response) {
        var page = CursorTracker.Page.of(response, kind.member(), limits);
        if (trail.isOver(page)) {
            return Optional.empty();
        }
        if (era == Era.MODERN) {
            validity = validity.with(response);
        }
        isCut = !read(page);
        return isCut ? Optional.empty() : trail.next(page);
    }

    /** Reads the elements of a page; returns whether the limits allow all of them. */
    private boolean read(CursorTracker.Page page) {
        for (var raw : page.elements()) {
            var isTooLong = raw.length() > limits.bytes();
            bytes += isTooLong ? 0 : raw.length();
            if (seen >= limits.items() || bytes > limits.bytes()) {
                return false;
            }
            seen++;
            if (isTooLong) {
                reject(RawJsonParts.firstText(raw, kind.keyMember()), limits.wordsForOne(raw.length()));
            } else {
                read(raw);
            }
        }
        return true;
    }

    private void read(String raw) {
        try {
            var item = kind.parse(raw, era);
            var key = Optional.of(kind.key(item));
            var flaw = listener.flaw(item);
            if (flaw.isPresent()) {
                reject(key, flaw.get());
            } else if (items.putIfAbsent(kind.key(item), item) != null) {
                reject(key, "one of that name is before it, which counts");
            }
        } catch (BridgeException unusable) {
            reject(
                    RawJsonParts.firstText(raw, kind.keyMember()),
                    unusable.failure().message());
        }
    }

    private void reject(Optional<String> key, String why) {
        var shown = key.filter(text -> !text.isEmpty())
                .orElseGet(() -> position(seen).strip());
        rejected.add(new Rejected(shown, seen, why));
    }

    private void end() {
        var remark = isCut ? Optional.of(limits.words(server, kind.toString())) : Optional.<String>empty();
        listener.listed(new Listing<>(List.copyOf(items.values()), reasons(), validity, remark));
    }

    /** An element whose key another element has is named by its position too. */
    private Map<String, String> reasons() {
        var reasons = new LinkedHashMap<String, String>();
        for (var each : rejected) {
            var isTaken = items.containsKey(each.key()) || reasons.containsKey(each.key());
            reasons.put(isTaken ? each.key() + position(each.number()) : each.key(), each.why());
        }
        return reasons;
    }

    private static String position(int number) {
        return " (no. %d of the list)".formatted(number);
    }

    private Failure invalid(String why) {
        return Failure.of(ErrorCode.UPSTREAM_INVALID, "server '%s' broke the protocol: %s".formatted(server, why))
                .withDelivery(Delivery.ANSWERED)
                .withServer(server);
    }

    /**
     * The elements that a server listed, usable and rejected.
     *
     * @param items the usable elements
     * @param rejected why the others are not usable, by their keys, in order; has no key of an item
     * @param remark why the rest of the list is cut off; empty if it is whole
     */
    public record Listing<T>(List<T> items, Map<String, String> rejected, Validity validity, Optional<String> remark) {

        public Listing {
            items = List.copyOf(items);
            rejected = Collections.unmodifiableMap(new LinkedHashMap<>(rejected));
        }

        static <T> Listing<T> empty() {
            return new Listing<>(List.of(), Map.of(), Validity.FOREVER, Optional.empty());
        }
    }

    /**
     * How long a list is valid, and for whom. Only modern servers say; otherwise a list is valid until the server reports a
     * change.
     *
     * @param span the time from now on
     * @param isForAll whether every user may have the list; else only the user who asked
     */
    public record Validity(Duration span, boolean isForAll) {
        private static final Validity FOREVER = new Validity(Duration.ofDays(36_500), true);
        private static final BigDecimal LONGEST =
                BigDecimal.valueOf(Duration.ofHours(24).toMillis());

        /** Adds a page, which may be valid for a shorter time or for fewer. Without a declaration it is for the user alone. */
        private Validity with(Response page) {
            var millis = page.raw(MessageField.TTL_MS)
                    .flatMap(NumberText::read)
                    .map(declared -> declared.max(BigDecimal.ZERO).min(LONGEST).longValue())
                    .orElse(0L);
            var declared = Duration.ofMillis(millis);
            var isPublic =
                    page.text(MessageField.CACHE_SCOPE).filter("public"::equals).isPresent();
            return new Validity(declared.compareTo(span) < 0 ? declared : span, isForAll && isPublic);
        }

        /** The span, but no longer than the operator allows. */
        Duration atMost(ListLimits limits) {
            return limits.expires() && limits.ttl().compareTo(span) < 0 ? limits.ttl() : span;
        }
    }

    /** An element that is not usable: the {@code number}th of the list. */
    private record Rejected(String key, int number, String why) {}

    /**
     * Follows the cursors of one list and detects loops. Rejects a server whose pages form a loop, with one exception: an
     * empty cursor is valid, so its page is requested, and the list ends if the server returns the first page again. For
     * one listing; one thread at a time.
     */
    static final class CursorTracker {
        /** The largest number of pages; a server with more is assumed to loop. */
        private static final int MAX_PAGES = 1_000;

        /** All cursors of a list are kept while it is read. */
        private static final int LONGEST_CURSOR = 16 << 10;

        private static final int LONGEST_SHOWN = 40;
        private static final String NONE = "null";

        /** As it is written in JSON. */
        private static final String EMPTY = "\"\"";

        private final String list;
        private final Set<String> cursors = new HashSet<>();
        private Optional<List<String>> first = Optional.empty();
        private String asked = "";

        /** @param list what is listed, such as {@code tools} */
        CursorTracker(String list) {
            this.list = list;
        }

        /** Whether this page is the first one again, after an empty cursor. */
        boolean isOver(Page page) {
            var isRepeated =
                    asked.equals(EMPTY) && first.filter(page.elements()::equals).isPresent();
            first = first.or(() -> Optional.of(page.elements()));
            return isRepeated;
        }

        /**
         * The params of the request for the page behind this one; empty if it is the last.
         *
         * @throws ProtocolException if the list never ends, or its cursor is too long to be kept
         */
        Optional<String> next(Page page) {
            page.cursor().ifPresent(this::follow);
            return page.cursor().map("{\"cursor\":%s}"::formatted);
        }

        private void follow(String cursor) {
            if (cursor.length() > LONGEST_CURSOR) {
                throw ProtocolException.upstreamInvalid(
                        "its list of %s has a cursor of %d characters, but at most %d are taken"
                                .formatted(list, cursor.length(), LONGEST_CURSOR));
            }
            if (!cursors.add(cursor) || cursors.size() >= MAX_PAGES) {
                throw ProtocolException.upstreamInvalid(
                        "its list of %s never ends: the cursor %s came again or is on page %d"
                                .formatted(list, VisibleText.beginning(cursor, LONGEST_SHOWN), cursors.size() + 1));
            }
            asked = cursor;
        }

        /**
         * One page of a server, split into raw elements, so that an invalid element does not affect the others.
         *
         * @param elements the raw elements in their order, but for those that lie far beyond the limits
         * @param cursor the raw cursor of the next page; empty if this is the last
         */
        record Page(List<String> elements, Optional<String> cursor) {

            /**
             * Reads a result. Of more elements than {@code limits} allow in all, one is read that is beyond them, and no
             * further.
             *
             * @param member the member with its elements, such as {@code tools}
             * @throws ProtocolException if there is no such array
             */
            static Page of(Response page, String member, ListLimits limits) {
                var result = RawJsonParts.members(page.raw(MessageField.RESULT).orElse("{}"));
                var list = result.getOrDefault(member, "missing");
                if (!list.startsWith("[")) {
                    throw ProtocolException.upstreamInvalid("in its answer '%s' is %s but must be an array"
                            .formatted(member, VisibleText.beginning(list, LONGEST_SHOWN)));
                }
                var cursor =
                        Optional.of(result.getOrDefault("nextCursor", NONE)).filter(raw -> !raw.equals(NONE));
                return new Page(RawJsonParts.firstElements(list, limits.items() + 1L), cursor);
            }
        }
    }
}
