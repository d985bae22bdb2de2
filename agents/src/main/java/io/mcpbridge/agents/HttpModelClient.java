package io.mcpbridge.agents;

import io.mcpbridge.call.JitteredBackoff;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.spi.Secret;
import io.mcpbridge.tool.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sends requests to the HTTP API of a model, without streaming. Follows no redirect, so that the key stays with its API. */
final class HttpModelClient implements ModelClient {
    private static final int MAX_ATTEMPTS = 4;
    private static final int MAX_BODY = 16 << 20;
    private static final int SHOWN = 300;

    /** Pauses where the API names none. */
    private static final JitteredBackoff BACKOFF = new JitteredBackoff(Duration.ofSeconds(1), Duration.ofSeconds(20));

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();
    private final Endpoint endpoint;
    private final URI base;
    private final Secret key;
    private final String adviceOnKey;
    private final Random random = new Random();

    /** @param adviceOnKey what to do if the API rejects the key */
    HttpModelClient(ModelFormat format, URI base, Secret key, String adviceOnKey) {
        var scheme = String.valueOf(base.getScheme());
        if (!scheme.matches("https?") || base.getHost() == null || base.getRawUserInfo() != null) {
            throw ConfigurationException.of(
                    "the base URL of the model API is '%s' but must be one of http or https with a host and without a user"
                            .formatted(Secret.hiddenIn(base.toString())));
        }
        this.endpoint = format.endpoint();
        this.base = base;
        this.key = key;
        this.adviceOnKey = adviceOnKey;
    }

    /**
     * Where the API of a format is.
     *
     * @param prefix of its environment variables
     * @param base the URL of the public API
     * @param path behind the base; has the model if there is a place for it
     * @param headers their values have a place for the key where they carry it
     */
    record Endpoint(String prefix, String base, String path, Map<String, String> headers) {

        static Endpoint ofOpenAi(String path) {
            return new Endpoint("OPENAI", "https://api.openai.com/v1", path, Map.of("Authorization", "Bearer %s"));
        }
    }

    @Override
    public Json complete(ModelRequest request) throws InterruptedException {
        var end = System.nanoTime() + request.timeout().toNanos();
        var sent = request(request);
        for (var attempt = 1; ; attempt++) {
            var response = send(sent, end);
            if (response.status == 200) {
                return json(sent.uri(), response);
            }
            var pause = response.retryAfter.orElse(BACKOFF.after(attempt, random));
            var left = Duration.ofNanos(end - System.nanoTime());
            if (attempt == MAX_ATTEMPTS || pause.compareTo(left) >= 0 || !response.isTransient()) {
                throw failure(sent.uri(), response, attempt, left);
            }
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        }
    }

    private HttpRequest request(ModelRequest request) {
        var path = endpoint.path.formatted(request.model().replaceAll("[^A-Za-z0-9._-]", "_"));
        var address = URI.create(base.toString().replaceFirst("/+$", "") + path);
        var sent = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(request.body().text()));
        var known = key.reveal();
        try {
            endpoint.headers.forEach((name, value) -> {
                if (!known.isEmpty() || !value.contains("%s")) {
                    sent.header(name, value.formatted(known));
                }
            });
        } catch (IllegalArgumentException wrong) {
            throw ConfigurationException.of(
                    "the key of the model API has characters that no HTTP header can have; set it again");
        }
        return sent.build();
    }

    /** What the API answered. */
    private record Answer(int status, String type, String body, boolean isTooLong, Optional<Duration> retryAfter) {

        boolean isTransient() {
            return status == 429 || status == 408 || status >= 500;
        }
    }

    private Answer send(HttpRequest request, long end) throws InterruptedException {
        var body = new ByteArrayOutputStream();
        var hasBegun = new AtomicBoolean();
        var answer = http.sendAsync(request, head -> {
            hasBegun.set(true);
            return BodySubscribers.ofByteArrayConsumer(part -> part.ifPresent(bytes -> append(body, bytes)));
        });
        try {
            var response = answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            return new Answer(
                    response.statusCode(),
                    response.headers().firstValue("Content-Type").orElse("no type"),
                    body.toString(StandardCharsets.UTF_8),
                    body.size() > MAX_BODY,
                    retryAfter(response));
        } catch (TimeoutException late) {
            answer.cancel(true);
            throw CallException.of(Failure.of(
                            ErrorCode.PROVIDER_TIMEOUT,
                            "the model API at %s gave no answer in time".formatted(request.uri()))
                    .withDelivery(Delivery.UNKNOWN)
                    .withCause(late));
        } catch (InterruptedException stopped) {
            answer.cancel(true);
            throw stopped;
        } catch (ExecutionException failed) {
            if (!(failed.getCause() instanceof IOException broken)) {
                throw new IllegalStateException("a request to a model failed", failed.getCause());
            }
            throw hasBegun.get()
                    ? ProtocolException.upstreamInvalid("the model API at %s broke off its response: %s; try again"
                            .formatted(request.uri(), broken.getMessage()))
                    : TransportException.unreachable(request.uri().toString(), broken);
        }
    }

    /** Keeps one part more than the bound, so that the body counts as too long. */
    private static void append(ByteArrayOutputStream body, byte[] part) {
        if (body.size() <= MAX_BODY) {
            body.writeBytes(part);
        }
    }

    /** The pause that the API asks for, in seconds. */
    private static Optional<Duration> retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(seconds -> seconds.matches("\\d{1,6}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
    }

    private Json json(URI address, Answer answer) {
        if (answer.isTooLong) {
            throw ProtocolException.upstreamInvalid(
                    "the response of %s is longer than %d bytes".formatted(address, MAX_BODY));
        }
        try {
            return Json.parse(answer.body);
        } catch (ProtocolException notJson) {
            throw ProtocolException.upstreamInvalid(
                    "the response of %s is not JSON but %s%s; check the base URL of the model API"
                            .formatted(address, answer.type, words(answer)));
        }
    }

    private BridgeException failure(URI address, Answer answer, int attempts, Duration left) {
        var message = "the model API at %s answered HTTP %d%s".formatted(address, answer.status, words(answer));
        return switch (answer.status) {
            case 401, 403 -> ConfigurationException.of(message + "; " + adviceOnKey);
            case 404 -> ConfigurationException.of(message + "; check the name of the model and the base URL");
            default ->
                CallException.of((answer.isTransient()
                                ? Failure.of(ErrorCode.OVERLOADED, message + later(answer, left))
                                : Failure.of(ErrorCode.INVALID_REQUEST, message))
                        .withStatus(answer.status)
                        .withDelivery(Delivery.REJECTED)
                        .withAttempts(attempts));
        };
    }

    private static String later(Answer answer, Duration left) {
        return answer.retryAfter
                .filter(pause -> pause.compareTo(left) >= 0)
                .map(pause -> "; it asks to wait %d s, but the time-out leaves %d s; try again then"
                        .formatted(pause.toSeconds(), Math.max(0, left.toSeconds())))
                .orElse("; try again later");
    }

    /** The words of the API, or the beginning of what it sent; without the key, which an API may repeat. */
    private String words(Answer answer) {
        var body = answer.body;
        try {
            var error = Json.parse(body).member("error");
            body = error.flatMap(it -> it.member("message"))
                    .or(() -> error)
                    .map(it -> it.asString().orElse(it.text()))
                    .orElse(body);
        } catch (ProtocolException notJson) {
            // The body itself is shown.
        }
        var known = key.reveal().isEmpty() ? body : body.replace(key.reveal(), "***");
        return known.isBlank() ? ", nothing else" : ": " + VisibleText.beginning(known.strip(), SHOWN);
    }
}
