package io.mcpbridge.engine.upstream.lists;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.engine.upstream.connection.DropCounter;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.CallStage.Outage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import java.lang.System.Logger.Level;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * Collects the operator remarks about the lists of one server, such as cut lists and rejected elements. Logs each
 * remark once, and bounds the log and the memory if a server produces endless new ones. Any thread.
 */
public final class ListRemarks {
    /** The log gets no more than these of each kind. */
    private static final int MAX_LOGGED = 100;

    private static final String NAME = "catalog.left-out";
    private static final int MAX_NAMES = 10;
    private static final int LONGEST_NAME = 128;
    private static final int LONGEST_REASON = 400;

    /** The most characters that clients with the limits of model providers accept. */
    private static final int LONGEST_EXPOSED_NAME = 64;

    private final String server;
    private final Environment environment;
    private final DropCounter dropped;
    private final Map<String, String> byList = new ConcurrentSkipListMap<>();
    private final Map<String, Outage> unlisted = new ConcurrentSkipListMap<>();
    private final Map<String, Outage> noisy = new ConcurrentSkipListMap<>();

    private volatile Optional<String> longNames = Optional.empty();

    /** What was logged, by the noun for one of the kind. */
    private final Map<String, Set<String>> logged = new ConcurrentHashMap<>();

    /** The rejected elements of the last listing of each kind, by the noun for one of it; tools come first. */
    private final SortedMap<String, Map<String, String>> rejected =
            new ConcurrentSkipListMap<>(Comparator.reverseOrder());

    public ListRemarks(String server, Environment environment, DropCounter dropped) {
        this.server = server;
        this.environment = environment;
        this.dropped = dropped;
    }

    /** The remark of the last listing of this kind, or that there is none. */
    void put(ListKind<?> kind, Optional<String> remark) {
        remark.ifPresentOrElse(text -> byList.put(kind.toString(), text), () -> byList.remove(kind.toString()));
        remark.ifPresent(dropped::count);
    }

    /** Sets or clears the outage that the server reports changes of this list all the time. */
    void noisy(ListKind<?> kind, Optional<String> why) {
        why.ifPresentOrElse(words -> noisy.put(kind.toString(), now(words)), () -> noisy.remove(kind.toString()));
        why.ifPresent(this::warn);
    }

    /** Sets or clears the outage that the connected server does not deliver this list. */
    void unlisted(ListKind<?> kind, Optional<String> why) {
        why.ifPresentOrElse(
                words ->
                        unlisted.merge(kind.toString(), now(words), (old, next) -> new Outage(next.why(), old.since())),
                () -> unlisted.remove(kind.toString()));
    }

    private Outage now(String why) {
        return new Outage(why, environment.timekeeper().now());
    }

    /** Why and since when the server is degraded. */
    public Optional<Outage> outage() {
        return outages().findFirst();
    }

    private Stream<Outage> outages() {
        return Stream.concat(unlisted.values().stream(), noisy.values().stream());
    }

    /** Returns the remarks for the status of the server. */
    public List<String> all() {
        return Stream.of(byList.values().stream(), longNames.stream(), outages().map(Outage::why))
                .flatMap(each -> each)
                .toList();
    }

    /** The server has listed tools that clients see under these names. */
    void listed(List<String> names) {
        var tooLong = names.stream()
                .filter(name -> name.length() > LONGEST_EXPOSED_NAME)
                .sorted()
                .toList();
        longNames = Optional.of(tooLong).filter(found -> !found.isEmpty()).map(this::shorten);
        longNames.filter(words -> isNew("name", words)).ifPresent(this::warn);
    }

    private String shorten(List<String> names) {
        var shown = names.stream()
                .limit(MAX_NAMES)
                .map(name -> "'%s' (%d)".formatted(VisibleText.of(name), name.length()))
                .collect(joining(", "));
        var more = names.size() - MAX_NAMES;
        return "tools of server '%s' have names of more than %d characters, which many clients refuse: %s%s; shorten them with 'alias' of the server or the tool"
                .formatted(server, LONGEST_EXPOSED_NAME, shown, more > 0 ? " and %d more".formatted(more) : "");
    }

    private boolean isNew(String word, String words) {
        var known = logged.computeIfAbsent(word, kind -> ConcurrentHashMap.newKeySet());
        return known.size() < MAX_LOGGED && known.add(words);
    }

    /**
     * The server has listed elements of a kind, and these cannot be used; the rejected ones of the last listing are
     * forgotten.
     *
     * @param word the noun for one of the kind
     * @param reasons why not, by the names of the elements, or a description of those without a name
     * @return the same, cut and escaped for display
     */
    public Map<String, String> rejected(String word, Map<String, String> reasons) {
        var shown = new TreeMap<String, String>();
        reasons.forEach((name, why) -> shown.put(name, VisibleText.beginning(why, LONGEST_REASON)));
        reasons.keySet().forEach(each -> dropped.countQuietly());
        rejected.put(word, Collections.unmodifiableSortedMap(shown));
        log(word, reasons);
        return Collections.unmodifiableSortedMap(shown);
    }

    /** Logs the first few of those that it has not logged before, and counts the others. */
    private void log(String word, Map<String, String> reasons) {
        var known = logged.computeIfAbsent(word, kind -> ConcurrentHashMap.newKeySet());
        var news = reasons.entrySet().stream()
                .map(each -> "the %s '%s' of server '%s' cannot be used and is not listed: %s"
                        .formatted(
                                word,
                                VisibleText.beginning(each.getKey(), LONGEST_NAME),
                                server,
                                VisibleText.beginning(each.getValue(), LONGEST_REASON)))
                .filter(words -> !known.contains(words))
                .toList();
        var kept = news.stream()
                .filter(words -> known.size() < MAX_LOGGED && known.add(words))
                .toList();
        kept.stream().limit(MAX_NAMES).forEach(this::warn);
        var more = news.size() - Math.min(kept.size(), MAX_NAMES);
        if (more > 0 && !kept.isEmpty()) {
            warn("and %d more %ss of server '%s' cannot be used and are not listed".formatted(more, word, server));
        }
    }

    private void warn(String words) {
        environment.logger().log(Level.WARNING, "[mcp-bridge] " + words);
    }

    /** Returns the number and names of the elements that the last listings rejected. */
    public GaugeReading reading() {
        var count = rejected.values().stream().mapToInt(Map::size).sum();
        return new GaugeReading(NAME, count, count == 0 ? "" : words(count));
    }

    private String words(int count) {
        var shown = rejected.entrySet().stream()
                .flatMap(kind -> kind.getValue().entrySet().stream()
                        .map(each -> "%s '%s' (%s)"
                                .formatted(
                                        kind.getKey(),
                                        VisibleText.beginning(each.getKey(), LONGEST_NAME),
                                        each.getValue())))
                .limit(MAX_NAMES)
                .collect(joining(", "));
        var more = count - MAX_NAMES;
        return "cannot be used and not listed: %s%s".formatted(shown, more > 0 ? " and %d more".formatted(more) : "");
    }
}
