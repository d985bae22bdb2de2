package io.mcpbridge.retry.cache;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.retry.cache.KeptAnswers.Kept;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Answers with what the server answered before: what it reads for as long as it says itself, and results of tools for as
 * long as the operator says, where they only read. Any thread.
 */
public final class CacheStage implements CallStage {
    private static final Set<String> READING = Set.of(
            Methods.TOOLS_LIST,
            Methods.PROMPTS_LIST,
            Methods.RESOURCES_LIST,
            Methods.RESOURCES_TEMPLATES_LIST,
            Methods.RESOURCES_READ);

    private static final String PUBLIC = "public";

    private final CacheSettings settings;
    private final StageContext context;
    private final Timekeeper timekeeper;
    private final KeptAnswers answers;
    private final LongAdder hits = new LongAdder();
    private final Set<String> remarked = ConcurrentHashMap.newKeySet();

    public CacheStage(CacheSettings settings, StageContext context) {
        this.settings = settings;
        this.context = context;
        this.timekeeper = context.environment().timekeeper();
        this.answers = new KeptAnswers(settings.entries(), settings.bytes());
        context.onChanged(change -> answers.drop(method -> Lifetime.isEndedBy(change, method)));
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        if (!mayBeKept(call)) {
            next.handle(call, reply);
            return;
        }
        var kept = answers.size() == 0 ? Optional.<Response>empty() : find(call);
        if (kept.isPresent()) {
            hits.increment();
            reply.done(Outcome.answered(kept.get()));
        } else {
            next.handle(call, new Keeping(call, reply, answers.epoch()));
        }
    }

    @Override
    public List<Reading> readings() {
        return List.of(
                counted("cache.entries", answers.size(), "of at most " + settings.entries()),
                counted("cache.bytes", answers.bytes(), "of at most " + settings.bytes()),
                counted("cache.hits", hits.sum(), "calls that were answered without the server"));
    }

    private static Reading counted(String name, long count, String ofWhat) {
        return new Reading(name, count, count + " " + ofWhat);
    }

    private boolean mayBeKept(Call call) {
        var method = call.request().method();
        var isWanted = method.equals(Methods.TOOLS_CALL) ? isToolKept(call) : READING.contains(method);
        return isWanted && Sharing.isWhole(call.request());
    }

    private boolean isToolKept(Call call) {
        if (settings.tools().isEmpty()) {
            return false;
        }
        var tool = call.request().text(Part.NAME).orElse("");
        if (!settings.tools().containsKey(tool)) {
            return false;
        }
        var onlyReads = context.hints(call).readOnly();
        if (!onlyReads && remarked.add(tool)) {
            var words = "[mcp-bridge] results of '%s' of server '%s' are not cached: nobody who is trusted calls it"
                    + " read-only; write \"tools\": {\"%s\": {\"read-only\": true}}";
            context.environment()
                    .logger()
                    .log(System.Logger.Level.WARNING, words.formatted(tool, context.server(), tool));
        }
        return onlyReads;
    }

    private Optional<Response> find(Call call) {
        var inquiry = Inquiry.of(call, context.digest(call));
        var now = timekeeper.nanoTime();
        return answers.find(inquiry, now)
                .or(() -> answers.find(inquiry.ofAnybody(), now))
                .map(kept -> Lifetime.withRest(kept.response(), kept.until() - now));
    }

    private void keep(Call call, Response response, long asked) {
        var isTool = call.request().method().equals(Methods.TOOLS_CALL);
        var millis = isTool ? toolMillis(call, response) : saidMillis(response);
        if (millis <= 0 || response.isError() || !Sharing.isComplete(response)) {
            return;
        }
        var isForAll = !isTool
                && response.text(Part.CACHE_SCOPE).filter(PUBLIC::equals).isPresent();
        var inquiry = Inquiry.of(call, context.digest(call));
        var until = timekeeper.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        answers.keep(
                isForAll ? inquiry.ofAnybody() : inquiry,
                new Kept(response, call.request().method(), until),
                asked);
    }

    /** Only the modern era knows how long an answer holds; what a legacy server calls so may mean anything. */
    private long saidMillis(Response response) {
        return context.era().filter(Era.MODERN::equals).isPresent() ? Lifetime.millis(response) : 0;
    }

    private long toolMillis(Call call, Response response) {
        var hasFailed = response.raw(Part.IS_ERROR).filter("true"::equals).isPresent();
        var span = call.request().text(Part.NAME).map(settings.tools()::get);
        return hasFailed || span.isEmpty() ? 0 : span.get().toMillis();
    }

    /** Keeps the answer on its way back. */
    private final class Keeping implements Reply {
        private final Call call;
        private final Reply reply;
        private final long asked;

        private Keeping(Call call, Reply reply, long asked) {
            this.call = call;
            this.reply = reply;
            this.asked = asked;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            if (outcome instanceof Outcome.Answered answered) {
                keep(call, answered.response(), asked);
            }
            reply.done(outcome);
        }
    }
}
