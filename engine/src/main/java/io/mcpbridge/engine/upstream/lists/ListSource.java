package io.mcpbridge.engine.upstream.lists;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.failure.Failure;
import java.util.Optional;

/** The server whose lists are read; its handler sends the requests for the pages. Any thread; nothing here waits. */
public interface ListSource extends Handler {

    /** Connects for the caller of {@code call} if need be; {@code reply} receives the result. */
    void connect(Call call, Reply reply);

    /** Returns the profile of the server at its last connection. */
    Optional<ServerProfile> profile();

    /** The connection that requests of this caller use now, if it is open. */
    Optional<ServerConnection> connection(Caller caller);

    /** Gives the common session to a client that requests a list, if no other client has it. */
    void claim(Caller caller);

    /** The failure of each listing once the server is closed; empty before. */
    Optional<Failure> closed();
}
