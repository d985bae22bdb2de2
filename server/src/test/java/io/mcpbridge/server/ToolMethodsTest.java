package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.tool.Content;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tools that are methods of an object. */
@Timeout(60)
class ToolMethodsTest {

    record Weather(int degrees) {}

    static class Base {
        @Tool(name = "base", parameters = "text")
        String ofBase(String text) {
            return text;
        }

        @Tool(value = "the description of the base", parameters = "text")
        String overridden(String text) {
            return "base";
        }
    }

    static class Greeter extends Base implements UnaryOperator<String> {
        @Tool(
                value = "Greets somebody.",
                readOnly = true,
                parameters = {"name", "times"})
        String greetPerson(@Description("Who is greeted") String name, Optional<Integer> times, ToolCall call) {
            return call.tool() + ": " + name + times.orElse(1);
        }

        @Tool(parameters = "place", idempotent = true, destructive = false, parallel = true)
        @SuppressWarnings("UnusedMethod") // The server calls it.
        private Weather forecast(List<String> place) {
            return new Weather(place.size());
        }

        @Tool
        CompletableFuture<String> later() {
            return CompletableFuture.completedFuture("later");
        }

        @Tool(envelope = false, title = "An image")
        static Content image() {
            return new Content.Image("AA==", "image/png");
        }

        @Tool
        void fail() throws Exception {
            throw new Exception("no luck");
        }

        @Tool
        void collapse() {
            throw new AssertionError("collapsed");
        }

        // Has a bridge method with the same annotation.
        @Override
        @Tool(parameters = "text")
        public String apply(String text) {
            return text + "!";
        }

        @Override
        @Tool(parameters = "text")
        String overridden(String text) {
            return "derived";
        }

        void unannotated() {}
    }

    static class Nameless {
        @Tool
        String echo(String text) {
            return text;
        }
    }

    static class Miscounted {
        @Tool(parameters = {"one", "two"})
        String echo(String text) {
            return text;
        }
    }

    static class Overloaded {
        @Tool
        void first() {}

        @Tool(name = "first")
        void second() {}
    }

    static class Strange {
        @Tool(parameters = "anything")
        void take(Object anything) {}
    }

    private static ServeBench bench() {
        var bench = new ServeBench();
        bench.server().registerTools(new Greeter());
        return bench;
    }

    @Test
    void methodsAreListedWithTheSchemasOfTheirParameters() throws Exception {
        try (var bench = bench()) {
            assertThat(bench.legacy().ask("tools/list", ""))
                    .contains(
                            "{\"name\":\"greet_person\",\"title\":\"greet_person\",\"description\":\"Greets somebody.\","
                                    + "\"inputSchema\":{\"type\":\"object\",\"properties\":{\"name\":{\"description\":\"Who is"
                                    + " greeted\",\"type\":\"string\"},\"times\":{\"type\":\"integer\"")
                    .contains(
                            "\"required\":[\"name\"],\"additionalProperties\":false},"
                                    + "\"annotations\":{\"readOnlyHint\":true,\"destructiveHint\":false,\"idempotentHint\":true")
                    .contains("\"readOnlyHint\":false,\"destructiveHint\":false,\"idempotentHint\":true")
                    .contains("\"title\":\"An image\"", "\"name\":\"base\"", "\"outputSchema\"")
                    .doesNotContain(
                            "unannotated",
                            "description of the base",
                            "\"readOnlyHint\":false,\"destructiveHint\":true");
        }
    }

    @Test
    void argumentsAndResultsAreConverted() throws Exception {
        try (var bench = bench()) {
            var client = bench.legacy();

            assertThat(client.envelope("greet_person", "{\"name\":\"Ada\",\"times\":3}"))
                    .contains("\"data\":\"greet_person: Ada3\"");
            assertThat(client.envelope("greet_person", "{\"name\":\"Ada\"}")).contains("Ada1");
            assertThat(client.envelope("forecast", "{\"place\":[\"here\"]}")).contains("\"data\":{\"degrees\":1}");
            assertThat(client.envelope("later", "{}")).contains("\"data\":\"later\"");
            assertThat(client.envelope("base", "{\"text\":\"t\"}")).contains("\"data\":\"t\"");
            assertThat(client.envelope("apply", "{\"text\":\"t\"}")).contains("\"data\":\"t!\"");
            assertThat(client.envelope("overridden", "{\"text\":\"t\"}")).contains("\"data\":\"derived\"");
            assertThat(client.call("image", "{}")).contains("\"type\":\"image\"");
        }
    }

    @Test
    void exceptionsOfMethodsAreToolErrors() throws Exception {
        try (var bench = bench()) {
            var client = bench.legacy();

            assertThat(client.envelope("fail", "{}")).contains("HANDLER_ERROR", "no luck");
            assertThat(client.envelope("collapse", "{}")).contains("HANDLER_ERROR", "collapsed");
        }
    }

    @Test
    void invalidArgumentsNeverReachTheMethod() throws Exception {
        try (var bench = bench()) {
            assertThat(bench.legacy().envelope("greet_person", "{\"nmae\":\"Ada\"}"))
                    .contains("INVALID_PARAMS", "required property 'name' not found");
            assertThat(bench.records()).hasSize(1).first().isInstanceOf(ToolExit.class);
        }
    }

    @Test
    void traceOfTheClientIsThatOfTheCall() throws Exception {
        try (var bench = new ServeBench().with("trace", call -> call.trace().traceId())) {
            var traceId = "a".repeat(32);
            var meta = "\"_meta\":{\"traceparent\":\"00-%s-%s-01\"}".formatted(traceId, "b".repeat(16));

            assertThat(bench.legacy().ask("tools/call", "\"name\":\"trace\",\"arguments\":{}," + meta))
                    .contains(traceId);
        }
    }

    @Test
    void callsAreAudited() throws Exception {
        try (var bench = bench()) {
            assertThat(bench.legacy().envelope("later", "{}")).contains("later");
            assertThat(bench.records()).hasExactlyElementsOfTypes(ToolEnter.class, ToolExit.class);
        }
    }

    @Test
    void parameterNamesComeFromTheCompiler(@TempDir Path folder) throws Exception {
        var source = folder.resolve("Compiled.java");
        Files.writeString(source, """
                public class Compiled {
                    @io.mcpbridge.server.Tool public String echo(String message) { return message; }
                }
                """);
        var compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, "-parameters", "-proc:none", "-cp", classPath(), source.toString()))
                .isZero();
        try (var loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
                var bench = new ServeBench()) {
            bench.server()
                    .registerTools(loader.loadClass("Compiled").getConstructor().newInstance());

            assertThat(bench.legacy().envelope("echo", "{\"message\":\"hi\"}")).contains("\"data\":\"hi\"");
        }
    }

    private static String classPath() throws Exception {
        return Path.of(Tool.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    @Test
    void parametersWithoutNamesAreRejected() {
        try (var bench = new ServeBench()) {
            assertThatThrownBy(() -> bench.server().registerTools(new Nameless()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Nameless.echo have no names")
                    .hasMessageContaining("-parameters");
            assertThatThrownBy(() -> bench.server().registerTools(new Miscounted()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lists 2 names but the method has 1 argument");
            assertThatThrownBy(() -> bench.server().registerTools(new Strange()))
                    .hasMessageContaining("'anything' of")
                    .hasMessageContaining("java.lang.Object");
            assertThatThrownBy(() -> bench.server().registerTools("text"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("java.lang.String has no method with @Tool");
        }
    }

    @Test
    void duplicateNamesRegisterNothing() throws Exception {
        try (var bench = bench()) {
            assertThatThrownBy(() -> bench.server().registerTools(new Overloaded()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("tool already registered: first");
            assertThatThrownBy(() -> bench.server().registerTools(new Base()))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(bench.legacy().ask("tools/list", "")).doesNotContain("first");
        }
    }
}
