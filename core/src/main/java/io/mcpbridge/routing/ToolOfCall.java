package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import io.mcpbridge.spi.ToolHearer;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.util.function.BiConsumer;

/** Says which tool of one server a call is of. Any thread; nothing here waits. */
record ToolOfCall(Upstream upstream, UpstreamList<ToolDefinition> tools) implements BiConsumer<Call, ToolHearer> {

    @Override
    public void accept(Call call, ToolHearer hearer) {
        var name = call.request().text(Part.NAME).orElse("");
        var wanted = new Seeking.Wanted(upstream, tools, name);
        if (wanted.isUnlisted(call)) {
            new Seeking(
                            call,
                            wanted,
                            () -> Seeking.unknown(call, call.exposedName().orElse(name), wanted)
                                    .withServer(upstream.name()),
                            new Sought(call, name, hearer))
                    .begin(upstream.environment().timekeeper());
        } else {
            tell(call, name, hearer);
        }
    }

    private void tell(Call call, String name, ToolHearer hearer) {
        tools.find(call.caller(), name).ifPresentOrElse(hearer::found, hearer::undecided);
    }

    private final class Sought implements Seeking.Ends {
        private final Call call;
        private final String name;
        private final ToolHearer hearer;

        private Sought(Call call, String name, ToolHearer hearer) {
            this.call = call;
            this.name = name;
            this.hearer = hearer;
        }

        @Override
        public void goOn() {
            tell(call, name, hearer);
        }

        @Override
        public void refused(Failure why) {
            hearer.refused(why);
        }
    }
}
