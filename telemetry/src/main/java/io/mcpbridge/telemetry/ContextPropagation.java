package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptTracer.Additions;
import io.mcpbridge.call.Call;
import io.mcpbridge.message.Request;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the trace context of incoming requests and injects it into outgoing ones, in the format of the propagator.
 */
record ContextPropagation(TextMapPropagator propagator) {

    /** Extracts from {@code _meta}, else from the headers, else returns {@code parent}. */
    Context extract(Call call, Context parent) {
        var context = propagator.extract(parent, call.request(), FromMeta.GETTER);
        return Span.fromContext(context).getSpanContext().isValid()
                ? context
                : propagator.extract(context, call, FromHeaders.GETTER);
    }

    /** The span in the headers if {@code _meta} names another one as the parent; invalid if there is none. */
    SpanContext linkedSpan(Call call, Context parent) {
        var headers = Span.fromContext(propagator.extract(Context.root(), call, FromHeaders.GETTER))
                .getSpanContext();
        var isParent = Span.fromContext(parent).getSpanContext().getSpanId().equals(headers.getSpanId());
        return isParent ? SpanContext.getInvalid() : headers;
    }

    /** Extracts from {@code _meta} alone, on top of {@code parent}. */
    Context extractFromMeta(Request request, Context parent) {
        return propagator.extract(parent, request, FromMeta.GETTER);
    }

    /** Injects the context, with the same keys in {@code _meta} and the headers. */
    Additions additions(Context context) {
        var texts = new LinkedHashMap<String, String>();
        propagator.inject(context, texts, (carrier, key, value) -> texts.put(key, value));
        return Additions.of(texts, texts);
    }

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
            return carrier == null
                    ? null
                    : carrier.origin().headers().first(key).orElse(null);
        }
    }
}
