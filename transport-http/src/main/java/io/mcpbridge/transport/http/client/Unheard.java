package io.mcpbridge.transport.http.client;

import io.mcpbridge.message.Message;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.TransportFailure;
import java.util.function.Consumer;

/** Owns what the transport sends by itself: nobody waits for it, so only its end matters. */
final class Unheard implements PostOwner {
    private final Consumer<Post> over;
    private final boolean hearsElsewhere;

    Unheard(Consumer<Post> over) {
        this(over, false);
    }

    /** The same where answers do not come on the stream of their request. */
    static Unheard answeredElsewhere(Consumer<Post> over) {
        return new Unheard(over, true);
    }

    private Unheard(Consumer<Post> over, boolean hearsElsewhere) {
        this.over = over;
        this.hearsElsewhere = hearsElsewhere;
    }

    @Override
    public boolean hearsAnswersElsewhere() {
        return hearsElsewhere;
    }

    @Override
    public void written(Post post) {}

    @Override
    public void event(Post post, Message event) {}

    @Override
    public void accepted(Post post) {
        over.accept(post);
    }

    @Override
    public void answered(Post post, Response answer) {
        over.accept(post);
    }

    @Override
    public void failed(Post post, TransportFailure why) {
        over.accept(post);
    }
}
