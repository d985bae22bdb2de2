package io.mcpbridge.conformance;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The scenarios that the suite has for servers, by the revision that requires them. */
final class Scenarios {
    static final String LEGACY = "2025-11-25";
    static final String MODERN = "2026-07-28";

    private static final Set<String> OF_BOTH = Set.of(
            "completion-complete",
            "tools-list",
            "tools-call-simple-text",
            "tools-call-image",
            "tools-call-audio",
            "tools-call-embedded-resource",
            "tools-call-mixed-content",
            "tools-call-error",
            "tools-call-with-progress",
            "server-sse-multiple-streams",
            "resources-list",
            "resources-read-text",
            "resources-read-binary",
            "resources-templates-read",
            "prompts-list",
            "prompts-get-simple",
            "prompts-get-with-args",
            "prompts-get-embedded-resource",
            "prompts-get-with-image",
            "dns-rebinding-protection");

    /** All 30 that revision 2025-11-25 requires. */
    static final Set<String> OF_LEGACY = and(
            OF_BOTH,
            "server-initialize",
            "logging-set-level",
            "ping",
            "tools-call-with-logging",
            "tools-call-sampling",
            "tools-call-elicitation",
            "elicitation-sep1034-defaults",
            "elicitation-sep1330-enums",
            "resources-subscribe",
            "resources-unsubscribe");

    /** All 37 that revision 2026-07-28 requires. */
    static final Set<String> OF_MODERN = and(
            OF_BOTH,
            "server-stateless",
            "sep-2164-resource-not-found",
            "caching",
            "input-required-result-basic-elicitation",
            "input-required-result-basic-sampling",
            "input-required-result-basic-list-roots",
            "input-required-result-request-state",
            "input-required-result-multiple-input-requests",
            "input-required-result-multi-round",
            "input-required-result-missing-input-response",
            "input-required-result-non-tool-request",
            "input-required-result-result-type",
            "input-required-result-unsupported-methods",
            "input-required-result-tampered-state",
            "input-required-result-capability-check",
            "input-required-result-ignore-extra-params",
            "input-required-result-validate-input");

    /** What the specification says that servers must do with headers, though the suite does not score it yet. */
    static final Set<String> OF_HEADERS = Set.of("http-header-validation", "http-custom-header-server-validation");

    /** Tells whether schemas arrive whole; not scored. */
    static final String SCHEMA = "json-schema-2020-12";

    private Scenarios() {}

    static Set<String> and(Set<String> some, String... more) {
        return Stream.concat(some.stream(), Stream.of(more)).collect(Collectors.toSet());
    }

    static Set<String> and(Set<String> some, Set<String> more) {
        return Stream.concat(some.stream(), more.stream()).collect(Collectors.toSet());
    }

    static Set<String> without(Set<String> some, Set<String> others) {
        return some.stream().filter(name -> !others.contains(name)).collect(Collectors.toSet());
    }
}
