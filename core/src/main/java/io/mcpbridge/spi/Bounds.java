package io.mcpbridge.spi;

import io.mcpbridge.message.Limits;

/**
 * How much may cross the bridge at once, the same for all parts that share an {@link Environment}. Immutable, but
 * for what the shared {@link #outbound budget} counts; any thread may use it.
 */
public final class Bounds {
    private static final int QUEUE = 1_024;
    private static final int QUESTIONS_PER_CLIENT = 64;
    private static final int QUESTIONS = 1_024;
    private static final int SUBSCRIBED_RESOURCES = 1_024;

    private final Limits fromClients;
    private final Limits fromServers;
    private final int queue;
    private final int questionsPerClient;
    private final int questions;
    private final int subscribedResources;
    private final ByteBudget outbound;

    private Bounds(
            Limits fromClients,
            Limits fromServers,
            int queue,
            int questionsPerClient,
            int questions,
            int subscribedResources,
            ByteBudget outbound) {
        this.fromClients = fromClients;
        this.fromServers = fromServers;
        this.queue = queue;
        this.questionsPerClient = questionsPerClient;
        this.questions = questions;
        this.subscribedResources = subscribedResources;
        this.outbound = outbound;
    }

    /** 4 MiB from a client, 16 MiB from a server, 1,024 calls in a queue, a quarter of the heap for slow clients. */
    public static Bounds usual() {
        return new Bounds(
                Limits.CLIENT,
                Limits.SERVER,
                QUEUE,
                QUESTIONS_PER_CLIENT,
                QUESTIONS,
                SUBSCRIBED_RESOURCES,
                ByteBudget.ofHeap());
    }

    /** What one message of a client may be. */
    public Limits fromClients() {
        return fromClients;
    }

    /** What one message of a server may be. */
    public Limits fromServers() {
        return fromServers;
    }

    /** How many calls may wait for one server, until a session is open or its transport has written them. */
    public int queue() {
        return queue;
    }

    /** How many requests of one session of a server may wait for one client. */
    public int questionsPerClient() {
        return questionsPerClient;
    }

    /** How many requests of one session of a server may wait for all of its clients. */
    public int questions() {
        return questions;
    }

    /**
     * How many resources a session of a client, or one of its streams of {@code subscriptions/listen}, is told of; each
     * costs memory here and at its server. Requests that come at one moment may get past it.
     */
    public int subscribedResources() {
        return subscribedResources;
    }

    /** The bytes that may wait for all clients of all listeners together. */
    public ByteBudget outbound() {
        return outbound;
    }

    /** How many bytes may wait for one slow client where nothing else is said: one largest answer and 64 KiB. */
    public int outboundOfOne() {
        return (int) Math.min(fromServers.maxBytes() + (64L << 10), Integer.MAX_VALUE);
    }

    /** A copy with other sizes of one message. */
    public Bounds withFrames(int clientBytes, int serverBytes) {
        return new Bounds(
                fromClients.withMaxBytes(clientBytes),
                fromServers.withMaxBytes(serverBytes),
                queue,
                questionsPerClient,
                questions,
                subscribedResources,
                outbound);
    }

    /** A copy with another number of calls that may wait; at least 1. */
    public Bounds withQueue(int calls) {
        require(calls, "queue");
        return new Bounds(
                fromClients, fromServers, calls, questionsPerClient, questions, subscribedResources, outbound);
    }

    /** A copy with other numbers of requests that a session of a server may make of clients; each at least 1. */
    public Bounds withQuestions(int perClient, int all) {
        require(perClient, "questions-per-client");
        require(all, "questions");
        return new Bounds(fromClients, fromServers, queue, perClient, all, subscribedResources, outbound);
    }

    /** A copy with another number of resources that a session of a client may be told of; at least 1. */
    public Bounds withSubscribedResources(int resources) {
        require(resources, "subscribed-resources");
        return new Bounds(fromClients, fromServers, queue, questionsPerClient, questions, resources, outbound);
    }

    private static void require(int value, String what) {
        if (value < 1) {
            throw new IllegalArgumentException("'%s' is %d but must be at least 1".formatted(what, value));
        }
    }

    /** A copy with another budget for what waits for clients. */
    public Bounds withOutbound(ByteBudget budget) {
        return new Bounds(fromClients, fromServers, queue, questionsPerClient, questions, subscribedResources, budget);
    }
}
