package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.upstream.lists.ListKind;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds the server of a tool or a prompt by the name that clients see. Any thread; never waits. */
final class NameOwners {
    private final Lists lists;

    NameOwners(Lists lists) {
        this.lists = lists;
    }

    /**
     * Where a name leads.
     *
     * @param name its name there
     */
    record Target(Route route, String name) {}

    /** Hears once where a name leads, or why it leads nowhere. */
    interface Hearer {

        void found(Target target);

        void unknown(Failure why);
    }

    /** Tells {@code hearer} where a name leads for this caller. */
    void find(Routes table, Call call, ListKind<?> kind, String exposed, Hearer hearer) {
        if (!table.filter(kind, call.caller()).admits(exposed)) {
            hearer.unknown(unknown(kind, exposed));
            return;
        }
        if (table.names() == ToolNaming.PREFIX) {
            var own = OwnName.parsePrefixed(exposed);
            var target = own.flatMap(named -> target(table, kind, named));
            if (kind == ListKind.TOOLS
                    && target.filter(found -> wanted(found).isUnlisted(call)).isPresent()) {
                seek(call, target.get(), hearer, () -> unknown(call, exposed, target.get()));
                return;
            }
            tell(
                    hearer,
                    target,
                    () -> own.flatMap(named -> table.whyAbsent(named.server()))
                            .map(reason -> unavailable("Unknown %s: %s; %s".formatted(kind.word(), exposed, reason)))
                            .orElseGet(() -> unknown(kind, exposed)));
            return;
        }
        // Among what is known first, so that a server which is slow to list keeps nobody waiting.
        var owners = table.all().stream()
                .filter(route ->
                        route.lists().of(kind).find(call.caller(), exposed).isPresent())
                .toList();
        if (owners.isEmpty()) {
            lists.sought(
                    table,
                    call,
                    kind,
                    list -> tell(
                            hearer,
                            list.owner(exposed).flatMap(own -> target(table, kind, own)),
                            () -> unlisted(table, call, kind, exposed, list)));
            return;
        }
        var isClash = owners.size() > 1;
        tell(
                hearer,
                isClash
                        ? Optional.empty()
                        : target(table, kind, new OwnName(owners.get(0).server(), exposed)),
                () -> unknown(kind, exposed));
    }

    private static Seeking.Wanted wanted(Target target) {
        var route = target.route();
        return new Seeking.Wanted(route.upstream(), route.tools(), target.name());
    }

    private void seek(Call call, Target target, Hearer hearer, Supplier<Failure> unknown) {
        lists.seek(new Seeking(call, wanted(target), unknown, new Seeking.Ends() {
            @Override
            public void goOn() {
                hearer.found(target);
            }

            @Override
            public void refused(Failure why) {
                hearer.unknown(why);
            }
        }));
    }

    private static void tell(Hearer hearer, Optional<Target> target, Supplier<Failure> why) {
        target.ifPresentOrElse(hearer::found, () -> hearer.unknown(why.get()));
    }

    /** A name that nobody has listed may be one of a server that does not answer. */
    private static Failure unlisted(Routes table, Call call, ListKind<?> kind, String exposed, MergedList<?> list) {
        if (list.missing().isEmpty()) {
            return table.all().stream()
                    .flatMap(route -> target(table, kind, new OwnName(route.server(), exposed)).stream())
                    .filter(target -> kind == ListKind.TOOLS && isLeftOut(call, target))
                    .findFirst()
                    .map(target -> unknown(call, exposed, target))
                    .orElseGet(() -> unknown(kind, exposed));
        }
        return unavailable("Unknown %s: %s; it may be one of the server(s) %s, which cannot be asked at the moment"
                        .formatted(kind.word(), exposed, list.missing()))
                .withRetryable(true);
    }

    private static boolean isLeftOut(Call call, Target target) {
        return target.route().tools().whyLeftOut(call.caller(), target.name()).isPresent();
    }

    private static Failure unknown(Call call, String exposed, Target target) {
        return Seeking.unknown(call, exposed, wanted(target));
    }

    private static Failure unknown(ListKind<?> kind, String exposed) {
        return Failure.of(ErrorCode.INVALID_PARAMS, "Unknown %s: %s".formatted(kind.word(), exposed));
    }

    private static Failure unavailable(String why) {
        return Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, why).withRetryable(false);
    }

    /** What {@code caller} would reach by a name, as far as it is known without asking a server. */
    static <T> Optional<T> known(Routes table, Caller caller, ListKind<T> kind, String exposed) {
        if (!table.filter(kind, caller).admits(exposed)) {
            return Optional.empty();
        }
        if (table.names() == ToolNaming.PREFIX) {
            return OwnName.parsePrefixed(exposed)
                    .flatMap(own -> table.find(own.server())
                            .flatMap(route -> route.lists().of(kind).find(caller, own.name())));
        }
        var found = table.all().stream()
                .flatMap(route -> route.lists().of(kind).find(caller, exposed).stream())
                .toList();
        return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }

    /** What clients do not see they cannot call either. */
    private static Optional<Target> target(Routes table, ListKind<?> kind, OwnName own) {
        return MergedList.expose(kind, table.names(), own)
                .flatMap(exposed -> table.find(own.server()))
                .filter(route -> kind != ListKind.TOOLS
                        || route.upstream().settings().toolFilter().admits(own.name()))
                .map(route -> new Target(route, own.name()));
    }
}
