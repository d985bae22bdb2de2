package io.mcpbridge.config;

import io.mcpbridge.message.Limits;
import io.mcpbridge.spi.Bounds;
import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;

/**
 * How much of everything there may be at once; what is one more is refused. Each is at least 1.
 *
 * @param inFlight calls under way per principal
 * @param connections connections per principal
 * @param subscriptions streams of {@code subscriptions/listen} per principal
 * @param subscribedResources resources that one session of a client, or one such stream, is told of
 * @param queue calls that wait per server
 * @param questions what one server may ask at once
 * @param clientFrame bytes of one message of a client
 * @param serverFrame bytes of one message of a server
 */
public record LimitSettings(
        int inFlight,
        int connections,
        int subscriptions,
        int subscribedResources,
        int queue,
        Questions questions,
        int clientFrame,
        int serverFrame) {

    public static final LimitSettings DEFAULTS = new LimitSettings(
            1_024, 8_192, 256, 1_024, 1_024, Questions.DEFAULTS, Limits.CLIENT.maxBytes(), Limits.SERVER.maxBytes());

    private static final String RULE = "at least 1";

    /**
     * What may wait for the answers of clients.
     *
     * @param perClient requests of one session of a server that wait for one client
     * @param all requests of one session of a server that wait for all of its clients
     */
    public record Questions(int perClient, int all) {

        public static final Questions DEFAULTS = new Questions(64, 1_024);

        public Questions {
            new Refusals()
                    .unless(perClient >= 1, "questions-per-client", perClient, RULE)
                    .unless(all >= 1, "questions", all, RULE)
                    .throwIfAny();
        }
    }

    public LimitSettings {
        new Refusals()
                .unless(inFlight >= 1, "in-flight", inFlight, RULE)
                .unless(connections >= 1, "connections", connections, RULE)
                .unless(subscriptions >= 1, "subscriptions", subscriptions, RULE)
                .unless(subscribedResources >= 1, "subscribed-resources", subscribedResources, RULE)
                .unless(queue >= 1, "queue", queue, RULE)
                .unless(clientFrame >= 1, "client-frame", clientFrame, RULE)
                .unless(serverFrame >= 1, "server-frame", serverFrame, RULE)
                .throwIfAny();
    }

    /** Reads the {@code limits} section; a key that is absent keeps its default. */
    public static LimitSettings from(Settings settings) {
        var inFlight = settings.integer("in-flight", DEFAULTS.inFlight);
        var connections = settings.integer("connections", DEFAULTS.connections);
        var subscriptions = settings.integer("subscriptions", DEFAULTS.subscriptions);
        var subscribedResources = settings.integer("subscribed-resources", DEFAULTS.subscribedResources);
        var queue = settings.integer("queue", DEFAULTS.queue);
        var perClient = settings.integer("questions-per-client", DEFAULTS.questions.perClient);
        var questions = settings.integer("questions", DEFAULTS.questions.all);
        var clientFrame = settings.bytes("client-frame", DEFAULTS.clientFrame);
        var serverFrame = settings.bytes("server-frame", DEFAULTS.serverFrame);
        var asked = settings.noting(() -> new Questions(perClient, questions), Questions.DEFAULTS);
        return settings.finish(() -> new LimitSettings(
                inFlight, connections, subscriptions, subscribedResources, queue, asked, clientFrame, serverFrame));
    }

    /** Other bounds where these limits say so; who shares {@code usual} goes on sharing its budget of bytes. */
    public Bounds apply(Bounds usual) {
        return usual.withFrames(clientFrame, serverFrame)
                .withQueue(queue)
                .withQuestions(questions.perClient, questions.all)
                .withSubscribedResources(subscribedResources);
    }
}
