package io.mcpbridge.spi;

import io.mcpbridge.message.Limits;

/**
 * How much may cross the bridge at once, the same for all parts that share an {@link Environment}. Any thread may use it.
 *
 * @param fromClients what one message of a client may be
 * @param fromServers what one message of a server may be
 * @param queue how many calls may wait for one server, until a session is open or its transport has written them
 * @param questionsPerClient how many requests of one session of a server may wait for one client
 * @param questions how many requests of one session of a server may wait for all of its clients
 * @param subscribedResources how many resources a session of a client, or one of its streams of
 *     {@code subscriptions/listen}, may subscribe to; each costs memory here and at its server. Requests that come at one
 *     moment may exceed it
 * @param outbound the bytes that may wait for all clients of all listeners together
 */
public record BridgeLimits(
        Limits fromClients,
        Limits fromServers,
        int queue,
        int questionsPerClient,
        int questions,
        int subscribedResources,
        ByteBudget outbound) {

    public BridgeLimits {
        require(queue, "queue");
        require(questionsPerClient, "questions-per-client");
        require(questions, "questions");
        require(subscribedResources, "subscribed-resources");
    }

    /** 4 MiB from a client, 16 MiB from a server, 1,024 calls in a queue, a quarter of the heap for slow clients. */
    public static BridgeLimits usual() {
        return new BridgeLimits(Limits.CLIENT, Limits.SERVER, 1_024, 64, 1_024, 1_024, ByteBudget.ofHeap());
    }

    /** How many bytes may wait for one slow client where nothing else is said: one largest answer and 64 KiB. */
    public int outboundOfOne() {
        return (int) Math.min(fromServers.maxBytes() + (64L << 10), Integer.MAX_VALUE);
    }

    /** A copy with other sizes of one message. */
    public BridgeLimits withFrames(int clientBytes, int serverBytes) {
        return new BridgeLimits(
                fromClients.withMaxBytes(clientBytes),
                fromServers.withMaxBytes(serverBytes),
                queue,
                questionsPerClient,
                questions,
                subscribedResources,
                outbound);
    }

    /** A copy with another number of calls that may wait; at least 1. */
    public BridgeLimits withQueue(int calls) {
        return new BridgeLimits(
                fromClients, fromServers, calls, questionsPerClient, questions, subscribedResources, outbound);
    }

    /** A copy with other numbers of requests that a session of a server may make of clients; each at least 1. */
    public BridgeLimits withQuestions(int perClient, int all) {
        return new BridgeLimits(fromClients, fromServers, queue, perClient, all, subscribedResources, outbound);
    }

    /** A copy with another number of resources that a session of a client may subscribe to; at least 1. */
    public BridgeLimits withSubscribedResources(int resources) {
        return new BridgeLimits(fromClients, fromServers, queue, questionsPerClient, questions, resources, outbound);
    }

    private static void require(int value, String what) {
        if (value < 1) {
            throw new IllegalArgumentException("'%s' is %d but must be at least 1".formatted(what, value));
        }
    }

    /** A copy with another budget for what waits for clients. */
    public BridgeLimits withOutbound(ByteBudget budget) {
        return new BridgeLimits(
                fromClients, fromServers, queue, questionsPerClient, questions, subscribedResources, budget);
    }
}
