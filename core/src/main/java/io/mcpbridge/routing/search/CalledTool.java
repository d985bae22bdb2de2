package io.mcpbridge.routing.search;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.routing.Router;
import io.mcpbridge.spi.CallStage;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Makes of a call of {@code bridge__call_tool} the call that it means, so that whoever counts, records, repeats and
 * routes calls knows no other. Stands outermost. Any thread; never waits.
 */
public final class CalledTool implements CallStage {
    private static final String NAME = "name";
    private static final String ARGUMENTS = "arguments";
    private static final List<String> KNOWN = List.of(NAME, ARGUMENTS);

    private final Router router;
    private final BiConsumer<Call, Failure> denied;

    /** @param denied hears of calls that end here and mean none of a server */
    public CalledTool(Router router, BiConsumer<Call, Failure> denied) {
        this.router = router;
        this.denied = denied;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        if (!isMeant(call)) {
            next.handle(call, reply);
            return;
        }
        Call meant;
        try {
            meant = meant(call);
        } catch (Unsuitable arguments) {
            arguments.tell(call, reply);
            return;
        }
        var name = meant.request().text(Part.NAME).orElse("");
        if (OwnTools.has(name)) {
            var why = Failure.of(ErrorCode.INVALID_PARAMS, "Unknown tool: " + name);
            denied.accept(meant, why);
            reply.done(Outcome.failed(why));
            return;
        }
        next.handle(meant, reply);
    }

    private boolean isMeant(Call call) {
        var request = call.request();
        return request.method().equals(Methods.TOOLS_CALL)
                && request.text(Part.NAME).filter(OwnTools.CALL::equals).isPresent()
                && router.routes().searchTools().isFor(call.caller().principal().name());
    }

    private static Call meant(Call call) {
        var members = Unsuitable.members(call, KNOWN);
        var name = Unsuitable.text(members, NAME)
                .filter(text -> !text.isEmpty())
                .orElseThrow(() -> Unsuitable.because(
                        "'name' must be the name of a tool, such as one that %s finds".formatted(OwnTools.SEARCH)));
        var splice = call.request().splice().replace(Part.NAME, JsonText.quote(name));
        var arguments = members.get(ARGUMENTS);
        if (arguments == null) {
            splice.remove(Part.ARGUMENTS);
        } else if (arguments.startsWith("{")) {
            splice.replace(Part.ARGUMENTS, arguments);
        } else {
            throw Unsuitable.because("'arguments' is %s but must be an object".formatted(Unsuitable.cut(arguments)));
        }
        return call.withRequest((Request) splice.done());
    }
}
