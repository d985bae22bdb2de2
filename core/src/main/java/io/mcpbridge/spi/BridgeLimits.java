package io.mcpbridge.spi;

import io.mcpbridge.message.Limits;

/**
 * The limits on message sizes, queues and requests, shared by all parts with the same {@link Environment}. Immutable
 * except for the budget; any thread may use it.
 *
 * @param fromClients the largest message of a client, in bytes
 * @param fromServers the largest message of a server, in bytes
 * @param queue the largest number of calls that wait for one server, until a session is open or its transport has
 *     written them
 * @param questionsPerClient the largest number of requests of one server session that wait for one client
 * @param questions the largest number of requests of one server session that wait for all of its clients
 * @param subscribedResources the largest number of resources that a client session, or one of its {@code
 *     subscriptions/listen} streams, subscribes to; each uses memory here and at its server. Concurrent requests may
 *     exceed it
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

    /** The default number of bytes that may wait for one slow client: one answer of the largest size, and 64 KiB. */
    public int outboundOfOne() {
        return (int) Math.min(fromServers.maxBytes() + (64L << 10), Integer.MAX_VALUE);
    }

    private static void require(int value, String what) {
        if (value < 1) {
            throw new IllegalArgumentException("'%s' is %d but must be at least 1".formatted(what, value));
        }
    }
}
