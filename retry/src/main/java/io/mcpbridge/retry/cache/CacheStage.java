package io.mcpbridge.retry.cache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.NumberText;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import java.math.BigDecimal;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Answers calls from a cache: lists and resources for as long as the server states, and results of read-only tools for
 * as long as the operator configures. Any thread may use it.
 */
public final class CacheStage implements CallStage {
    private static final Set<String> CACHED_METHODS = Set.of(
            Methods.TOOLS_LIST,
            Methods.PROMPTS_LIST,
            Methods.RESOURCES_LIST,
            Methods.RESOURCES_TEMPLATES_LIST,
            Methods.RESOURCES_READ);

    /** The methods whose responses a change invalidates. */
    private static final Map<String, Set<String>> INVALIDATED = Map.of(
            Methods.TOOLS_LIST_CHANGED, Set.of(Methods.TOOLS_LIST, Methods.TOOLS_CALL),
            Methods.PROMPTS_LIST_CHANGED, Set.of(Methods.PROMPTS_LIST),
            Methods.RESOURCES_LIST_CHANGED,
                    Set.of(Methods.RESOURCES_LIST, Methods.RESOURCES_TEMPLATES_LIST, Methods.RESOURCES_READ),
            Methods.RESOURCES_UPDATED, Set.of(Methods.RESOURCES_READ));

    private static final String PUBLIC = "public";
    private static final BigDecimal MAX_TTL_MILLIS = BigDecimal.valueOf(TimeUnit.HOURS.toMillis(24));

    private final CacheSettings settings;
    private final StageContext context;
    private final Timekeeper timekeeper;
    private final ResponseCache cache;
    private final LongAdder hits = new LongAdder();
    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    public CacheStage(CacheSettings settings, StageContext context) {
        this.settings = settings;
        this.context = context;
        this.timekeeper = context.environment().timekeeper();
        this.cache = new ResponseCache(settings.entries(), settings.bytes());
        // The empty change stands for any.
        context.onChanged(change -> cache.invalidate(method ->
                change.isEmpty() || INVALIDATED.getOrDefault(change, Set.of()).contains(method)));
    }

    @Override
    public void handle(CallContext call, Next next) {
        if (!isCacheable(call)) {
            next.handle(call);
            return;
        }
        var cached = cache.size() == 0 ? Optional.<Outcome.Answered>empty() : find(call);
        if (cached.isPresent()) {
            hits.increment();
            call.complete(cached.get());
        } else {
            var requestedAt = cache.epoch();
            call.onComplete(outcome -> store(call, outcome, requestedAt));
            next.handle(call);
        }
    }

    @Override
    public List<GaugeReading> readings() {
        return List.of(
                counted("cache.entries", cache.size(), "of at most " + settings.entries()),
                counted("cache.bytes", cache.bytes(), "of at most " + settings.bytes()),
                counted("cache.hits", hits.sum(), "calls that were answered without the server"));
    }

    private static GaugeReading counted(String name, long count, String ofWhat) {
        return new GaugeReading(name, count, count + " " + ofWhat);
    }

    private boolean isCacheable(Call call) {
        var method = call.request().method();
        var isKind = method.equals(Methods.TOOLS_CALL) ? isToolCacheable(call) : CACHED_METHODS.contains(method);
        return isKind && SharingKey.isShareable(call.request());
    }

    private boolean isToolCacheable(Call call) {
        if (settings.tools().isEmpty()) {
            return false;
        }
        var tool = call.request().text(MessageField.NAME).orElse("");
        if (!settings.tools().containsKey(tool)) {
            return false;
        }
        var onlyReads = context.hints(call).readOnly();
        if (!onlyReads && warned.add(tool)) {
            var words = "[mcp-bridge] results of '%s' of server '%s' are not cached: no trusted source declares it"
                    + " read-only; write \"tools\": {\"%s\": {\"read-only\": true}}";
            context.environment()
                    .logger()
                    .log(System.Logger.Level.WARNING, words.formatted(tool, context.server(), tool));
        }
        return onlyReads;
    }

    private Optional<Outcome.Answered> find(Call call) {
        var key = SharingKey.of(call, context.digest(call));
        var now = timekeeper.nanoTime();
        return cache.find(key, now)
                .or(() -> cache.find(key.forAllUsers(), now))
                .map(cached -> withRemainingTtl(cached.answer(), cached.until() - now));
    }

    private void store(Call call, Outcome outcome, long requestedAt) {
        if (!(outcome instanceof Outcome.Answered answered)) {
            return;
        }
        var answer = answered.withAttempts(1);
        var response = answer.response();
        var isTool = call.request().method().equals(Methods.TOOLS_CALL);
        var millis = isTool ? toolTtlMillis(call, response) : serverTtlMillis(answer);
        if (millis <= 0 || response.isError() || !SharingKey.isShareable(response)) {
            return;
        }
        var isForAll = !isTool
                && response.text(MessageField.CACHE_SCOPE)
                        .filter(PUBLIC::equals)
                        .isPresent();
        var key = SharingKey.of(call, context.digest(call));
        var until = timekeeper.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        cache.put(
                isForAll ? key.forAllUsers() : key,
                new ResponseCache.CachedResponse(answer, call.request().method(), until),
                requestedAt);
    }

    private long toolTtlMillis(Call call, Response response) {
        var hasFailed =
                response.raw(MessageField.IS_ERROR).filter("true"::equals).isPresent();
        var span = call.request().text(MessageField.NAME).map(settings.tools()::get);
        return hasFailed || span.isEmpty() ? 0 : span.get().toMillis();
    }

    /**
     * The time to live that the server states; zero if it states none or an invalid one. Only the modern era defines
     * it; in a legacy response the field may mean anything.
     */
    private static long serverTtlMillis(Outcome.Answered answer) {
        return Optional.of(answer.response())
                .filter(response -> answer.era() == Era.MODERN)
                .flatMap(response -> response.raw(MessageField.TTL_MS))
                .flatMap(NumberText::read)
                .map(stated -> stated.max(BigDecimal.ZERO).min(MAX_TTL_MILLIS).longValue())
                .orElse(0L);
    }

    /** The response with the rest of its time to live, for clients that cache it too. */
    private static Outcome.Answered withRemainingTtl(Outcome.Answered answer, long nanos) {
        var response = answer.response();
        if (!response.has(MessageField.TTL_MS)) {
            return answer;
        }
        var millis = Long.toString(TimeUnit.NANOSECONDS.toMillis(nanos));
        return answer.withResponse((Response)
                response.splice().replace(MessageField.TTL_MS, millis).done());
    }

    /**
     * A cache of responses with expiry, bounded in entries and bytes; evicts the least recently used ones. Any thread may
     * use it.
     */
    private static final class ResponseCache {
        private final int maxEntries;
        private final long maxBytes;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final LinkedHashMap<SharingKey, CachedResponse> responses = new LinkedHashMap<>(16, 0.75f, true);

        @GuardedBy("lock")
        private long bytes;

        /** The number of invalidations; a response that was requested before the last one is not stored. */
        private final AtomicLong epoch = new AtomicLong();

        private volatile int size;

        ResponseCache(int maxEntries, long maxBytes) {
            this.maxEntries = maxEntries;
            this.maxBytes = maxBytes;
        }

        long epoch() {
            return epoch.get();
        }

        int size() {
            return size;
        }

        long bytes() {
            lock.lock();
            try {
                return bytes;
            } finally {
                lock.unlock();
            }
        }

        Optional<CachedResponse> find(SharingKey key, long now) {
            lock.lock();
            try {
                var cached = responses.get(key);
                if (cached != null && cached.until() - now <= 0) {
                    remove(key, cached);
                    return Optional.empty();
                }
                return Optional.ofNullable(cached);
            } finally {
                lock.unlock();
            }
        }

        /** Stores a response that was requested in epoch {@code requestedAt}. */
        void put(SharingKey key, CachedResponse cached, long requestedAt) {
            lock.lock();
            try {
                if (requestedAt != epoch.get() || bytesOf(key, cached) > maxBytes) {
                    return;
                }
                var before = responses.remove(key);
                bytes += bytesOf(key, cached) - (before == null ? 0 : bytesOf(key, before));
                responses.put(key, cached);
                evict();
                size = responses.size();
            } finally {
                lock.unlock();
            }
        }

        /** Removes the responses to these methods. */
        void invalidate(Predicate<String> methods) {
            lock.lock();
            try {
                epoch.incrementAndGet();
                for (var entries = responses.entrySet().iterator(); entries.hasNext(); ) {
                    var entry = entries.next();
                    if (methods.test(entry.getValue().method())) {
                        bytes -= bytesOf(entry.getKey(), entry.getValue());
                        entries.remove();
                    }
                }
                size = responses.size();
            } finally {
                lock.unlock();
            }
        }

        @GuardedBy("lock")
        private void evict() {
            Iterator<Map.Entry<SharingKey, CachedResponse>> eldest =
                    responses.entrySet().iterator();
            while (responses.size() > maxEntries || bytes > maxBytes) {
                var entry = eldest.next();
                bytes -= bytesOf(entry.getKey(), entry.getValue());
                eldest.remove();
            }
        }

        @GuardedBy("lock")
        private void remove(SharingKey key, CachedResponse cached) {
            responses.remove(key);
            bytes -= bytesOf(key, cached);
            size = responses.size();
        }

        private static long bytesOf(SharingKey key, CachedResponse cached) {
            return key.length() + (long) cached.answer().response().length();
        }

        /**
         * A response with the method that it answers.
         *
         * @param until when it expires
         */
        record CachedResponse(Outcome.Answered answer, String method, long until) {}
    }

    /**
     * Provides {@code cache}, which every server has unless its configuration says {@code none}: it caches what the server
     * allows to cache.
     */
    public static final class CacheProvider implements CallStageProvider {

        @Override
        public Id id() {
            return new Id("cache", SPI_VERSION);
        }

        @Override
        public Place place() {
            return Place.CACHE;
        }

        @Override
        public Optional<CallStage> create(StageContext context) {
            return Optional.of(new CacheStage(CacheSettings.from(context.settings()), context));
        }
    }
}
