/** Contract suites, fakes, a faulty server and a fault proxy. */
module io.mcpbridge.testkit {
    requires transitive io.mcpbridge.core;
    requires transitive org.assertj.core;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    requires java.management;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports io.mcpbridge.testkit;
    exports io.mcpbridge.testkit.contract;
    exports io.mcpbridge.testkit.faulty;
}
