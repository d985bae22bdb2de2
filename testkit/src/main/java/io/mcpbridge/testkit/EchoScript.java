package io.mcpbridge.testkit;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The peer of transport tests: returns the params of each request as its result, and misbehaves if the method says so.
 * One script serves all connections of a peer.
 */
public final class EchoScript implements Script {

    /** Responds with the params, as does every method that is not listed here. */
    public static final String ECHO = "echo";

    /** Responds with the params, in pieces of {@value #PIECE} bytes. */
    public static final String PIECES = "pieces";

    /** Never responds. */
    public static final String HANG = "hang";

    /** Closes the connection without a response. */
    public static final String DIE = "die";

    /** Sends {@value #FLOOD_COUNT} numbered notifications and then the response. */
    public static final String FLOOD = "flood";

    /** Responds after {@value #STALL_MILLIS} ms in which it reads nothing. */
    public static final String STALL = "stall";

    /** Responds with the ids of the received requests and of those that were cancelled. */
    public static final String SEEN = "seen";

    public static final int PIECE = 3;
    public static final int FLOOD_COUNT = 1_000;
    public static final int STALL_MILLIS = 2_000;

    private final List<MessageId> came = new CopyOnWriteArrayList<>();
    private final List<String> cancelled = new CopyOnWriteArrayList<>();

    @Override
    public void received(Message message, Wire wire) {
        if (message instanceof Request request) {
            came.add(request.id());
            answer(request, wire);
        } else if (message instanceof Notification note && note.method().equals(Methods.CANCELLED)) {
            note.raw(MessageField.CANCELLED_ID).ifPresent(cancelled::add);
        }
    }

    private void answer(Request request, Wire wire) {
        switch (request.method()) {
            case HANG -> {}
            case DIE -> wire.cut();
            case PIECES -> wire.sendInPieces(echo(request), PIECE);
            case SEEN -> wire.send(Response.result(request.id(), seen()));
            case FLOOD -> {
                flood(wire);
                wire.send(echo(request));
            }
            case STALL -> {
                stall();
                wire.send(echo(request));
            }
            default -> wire.send(echo(request));
        }
    }

    private static Response echo(Request request) {
        return Response.result(request.id(), request.raw(MessageField.PARAMS).orElse("{}"));
    }

    private static void flood(Wire wire) {
        for (int i = 0; i < FLOOD_COUNT; i++) {
            wire.send(Notification.of(Methods.LOG_MESSAGE, "{\"level\":\"info\",\"data\":" + i + "}"));
        }
    }

    private static void stall() {
        try {
            // The latch stays closed: a peer in another process only knows how long to wait.
            var opened = new CountDownLatch(1).await(STALL_MILLIS, TimeUnit.MILLISECONDS);
            assert !opened;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private String seen() {
        var ids = came.stream().map(MessageId::raw).collect(Collectors.joining(","));
        return "{\"came\":[%s],\"cancelled\":[%s]}".formatted(ids, String.join(",", cancelled));
    }
}
