package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.upstream.lists.ListItem;
import io.mcpbridge.upstream.lists.ListKind;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Finds the server of a resource by its URI, which is compared and never opened, resolved or changed. Any thread;
 * never waits.
 *
 * <p>It belongs to the first server that lists it; else to the one whose template it fits, the one with the longest
 * literal beginning first; else to the one that is configured for its scheme. One server alone owns them all.
 */
final class ResourceOwners {
    private final Lists lists;

    ResourceOwners(Lists lists) {
        this.lists = lists;
    }

    /** A template that fits, and whose it is. */
    private record Fit(Route route, String prefix) {

        /** One that begins with a variable claims every scheme there is. */
        boolean namesItsScheme() {
            return prefix.indexOf(':') > 0;
        }
    }

    /** Hands the owner to {@code then}; empty if nobody owns it as far as this caller may know. */
    void find(Routes table, Call call, String uri, Consumer<Optional<Route>> then) {
        var known = alone(table).or(() -> known(table, call.caller(), uri));
        if (known.isPresent()) {
            then.accept(known);
            return;
        }
        lists.known(
                table,
                call,
                ListKind.RESOURCES,
                resources -> lists.known(
                        table,
                        call,
                        ListKind.TEMPLATES,
                        templates -> then.accept(
                                known(table, call.caller(), uri).or(() -> blanket(table, call.caller(), uri)))));
    }

    /** The same for a completion's reference, which may be a template itself. */
    void findReferred(Routes table, Call call, String uriOrTemplate, Consumer<Optional<Route>> then) {
        var known = alone(table).or(() -> ofTemplate(table, call.caller(), uriOrTemplate));
        if (known.isPresent()) {
            then.accept(known);
            return;
        }
        lists.known(table, call, ListKind.TEMPLATES, templates -> {
            var owner = ofTemplate(table, call.caller(), uriOrTemplate);
            if (owner.isPresent()) {
                then.accept(owner);
            } else {
                find(table, call, uriOrTemplate, then);
            }
        });
    }

    private static Optional<Route> ofTemplate(Routes table, Caller caller, String template) {
        return table.all().stream()
                .filter(route ->
                        route.lists().templates().find(caller, template).isPresent())
                .findFirst();
    }

    private static Optional<Route> alone(Routes table) {
        return table.all().size() == 1 ? table.all().stream().findFirst() : Optional.empty();
    }

    /** The owner by what servers have listed so far. */
    private static Optional<Route> known(Routes table, Caller caller, String uri) {
        return table.all().stream()
                .filter(route -> route.lists().resources().find(caller, uri).isPresent())
                .findFirst()
                .or(() -> fit(table, caller, uri).filter(Fit::namesItsScheme).map(Fit::route));
    }

    /** The owner of what no server listed by name: the operator's word goes before a template that fits anything. */
    private static Optional<Route> blanket(Routes table, Caller caller, String uri) {
        return ofScheme(table, uri).or(() -> fit(table, caller, uri).map(Fit::route));
    }

    private static Optional<Fit> fit(Routes table, Caller caller, String uri) {
        Fit best = null;
        for (var route : table.all()) {
            for (var template : route.lists().templates().known(caller)) {
                var fit = fit(route, template, uri);
                if (fit.isPresent() && (best == null || isLonger(fit.get(), best))) {
                    best = fit.get();
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private static boolean isLonger(Fit fit, Fit than) {
        return fit.prefix.length() > than.prefix.length();
    }

    private static Optional<Fit> fit(Route route, ListItem template, String uri) {
        return UriTemplate.parse(template.key())
                .filter(parsed -> parsed.matches(uri))
                .map(parsed -> new Fit(route, parsed.prefix()));
    }

    private static Optional<Route> ofScheme(Routes table, String uri) {
        var scheme = uri.substring(0, Math.max(0, uri.indexOf(':'))).toLowerCase(Locale.ROOT);
        return table.all().stream()
                .filter(route -> route.upstream().settings().schemes().contains(scheme))
                .findFirst();
    }
}
