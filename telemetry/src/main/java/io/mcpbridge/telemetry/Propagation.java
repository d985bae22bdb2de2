package io.mcpbridge.telemetry;

import io.mcpbridge.call.Additions;
import io.mcpbridge.call.Call;
import io.mcpbridge.message.Request;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Reads the context that a request brings, and writes the one that goes with it, as the propagators want it. */
final class Propagation {
    private final TextMapPropagator propagator;

    Propagation(TextMapPropagator propagator) {
        this.propagator = propagator;
    }

    /** The context that {@code _meta} brings, else the headers, else {@code otherwise}. */
    Context of(Call call, Context otherwise) {
        var told = propagator.extract(otherwise, call.request(), FromMeta.GETTER);
        return Span.fromContext(told).getSpanContext().isValid()
                ? told
                : propagator.extract(told, call, FromHeaders.GETTER);
    }

    /** The span that the headers bring where {@code _meta} goes before them with another; invalid if there is none. */
    SpanContext beside(Call call, Context parent) {
        var headers = Span.fromContext(propagator.extract(Context.root(), call, FromHeaders.GETTER))
                .getSpanContext();
        var isParent = Span.fromContext(parent).getSpanContext().getSpanId().equals(headers.getSpanId());
        return isParent ? SpanContext.getInvalid() : headers;
    }

    /** What {@code _meta} says, on top of {@code otherwise}. */
    Context ofMeta(Request request, Context otherwise) {
        return propagator.extract(otherwise, request, FromMeta.GETTER);
    }

    /** The same keys in {@code _meta} and as headers. */
    Additions additions(Context context) {
        var texts = new LinkedHashMap<String, String>();
        propagator.inject(context, texts, (carrier, key, value) -> texts.put(key, value));
        return Additions.of(texts, texts);
    }

    /** Whatever key a propagator asks for. */
    private enum FromMeta implements TextMapGetter<Request> {
        GETTER;

        @Override
        public @Nullable String get(@Nullable Request carrier, String key) {
            return carrier == null ? null : carrier.metaText(key).orElse(null);
        }
    }

    private enum FromHeaders implements TextMapGetter<Call> {
        GETTER;

        @Override
        public @Nullable String get(@Nullable Call carrier, String key) {
            return carrier == null ? null : carrier.arrival().first(key).orElse(null);
        }
    }
}
