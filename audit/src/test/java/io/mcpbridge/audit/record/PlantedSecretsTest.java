package io.mcpbridge.audit.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.audit.redact.RedactionSettings;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.testkit.AuditedCallFixture;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** I8: secrets are put everywhere, and all that is written is searched for them, encoded or not. */
class PlantedSecretsTest {
    private static final String JWT = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0"
            + ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    private static final String PEM =
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAx\nq83vEjRWeJASNFZ4\n" + "-----END RSA PRIVATE KEY-----";

    /** Behind it the rest of a text is cut off before it is looked at. */
    private static final String LONG = " ".repeat(65_536);

    private final AuditRecords records =
            TestRecords.withSecrets(RecordSettings.Level.RESULT, List.of("correct horse battery", "s3cr3t-of-file"));

    static Stream<String> tokens() {
        return Stream.of(
                JWT,
                PEM,
                token("AKIA", 16).toUpperCase(Locale.ROOT),
                token("ASIA", 16).toUpperCase(Locale.ROOT),
                token("ghp_", 36),
                token("gho_", 36),
                token("github_pat_", 60),
                token("glpat-", 20),
                token("xoxb-", 40),
                token("AIza", 35),
                token("sk-proj-", 40),
                token("sk_live_", 24),
                token("npm_", 36));
    }

    @ParameterizedTest
    @MethodSource("tokens")
    void i8TokensAreNeverWritten(String token) {
        assertThat(everythingWith(token)).doesNotContain(token, JsonStrings.quote(token), inner(token));
    }

    @ParameterizedTest
    @ValueSource(strings = {"correct horse battery", "s3cr3t-of-file"})
    void i8SecretsOfTheConfigurationAreNeverWrittenInAnyForm(String secret) {
        for (var form : forms(secret)) {
            var written = everythingWith(form);

            assertThat(written)
                    .as("as %s", form)
                    .doesNotContain(form, secret, JsonStrings.quote(secret), inner(secret));
        }
    }

    @Test
    void i8InvisibleCharactersDoNotHideASecret() {
        for (var mark : List.of("\u200B", "\u200D", "\u2060", "\uFEFF", "\u00AD", "\u180E", "\uFE0F")) {
            for (var secret : List.of("s3cr3t-of-file", token("ghp_", 36), "password=hunter2-of-bob")) {
                var half = secret.length() / 2;
                var written = everythingWith(secret.substring(0, half) + mark + secret.substring(half));

                assertThat(written).as("%04x", (int) mark.charAt(0)).doesNotContain(secret.substring(half));
            }
        }
    }

    @Test
    void i8ValueOfASecretKeyIsNotWritten() {
        for (var key : List.of(
                "password",
                "PassWord",
                "db_password",
                "api-key",
                "API_KEY",
                "apiKey",
                "X-Api-Key",
                "access_token",
                "Authorization",
                "proxy-authorization",
                "Set-Cookie",
                "client.secret",
                "privateKey",
                "pass\u200bword",
                "x-house-token")) {
            var quoted = JsonStrings.quote(key);
            for (var arguments : List.of(
                    "{%s:\"hunter2\"}",
                    "{\"a\":[{\"b\":{%s:\"hunter2\"}}]}",
                    "{%s:{\"deep\":[\"hunter2\",{\"x\":\"hunter2\"}]}}",
                    "{\"headers\":[{\"name\":%s,\"value\":\"hunter2\"}]}",
                    "{\"headers\":[{\"value\":\"hunter2\",\"name\":%s}]}",
                    "{\"headers\":[{\"Name\":%s,\"Value\":\"hunter2\"}]}",
                    "{\"headers\":[{\"VALUE\":\"hunter2\",\"KEY\":%s}]}",
                    "{\"headers\":[[%s,\"hunter2\"]]}",
                    "{%1$s:1,%1$s:\"hunter2\"}")) {
                assertThat(enter(arguments.formatted(quoted))).doesNotContain("hunter2");
            }
            var inText = JsonStrings.quote("{%s:\"hunter2\"}".formatted(quoted));
            assertThat(enter("{\"body\":%s}".formatted(inText))).doesNotContain("hunter2");
            var inLongText = JsonStrings.quote("{%s:\"hunter2\",\"rows\":\"%s\"}".formatted(quoted, LONG));
            assertThat(enter("{\"body\":%s}".formatted(inLongText)))
                    .doesNotContain("hunter2")
                    .contains("rows");
        }
    }

    @Test
    void i8SecretMarkedByASchemaIsNotWrittenInLongTexts() {
        var output = "{\"type\":\"object\",\"properties\":{\"ssn\":{\"type\":\"string\",\"x-sensitive\":true}}}";
        var call = Events.call(
                Events.CLOSED.replace("\"inputSchema\"", "\"outputSchema\":" + output + ",\"inputSchema\""));
        for (var rows : List.of("", LONG)) {
            var text = "{\"ssn\":\"123-45-6789\",\"rows\":[\"seen %s\"]}".formatted(rows);
            var result = "{\"content\":[{\"type\":\"text\",\"text\":%s}]}".formatted(JsonStrings.quote(text));

            var line = Events.line(Events.ended(records, Events.answered(call, result)));

            assertThat(line).doesNotContain("123-45-6789").contains("ssn", "seen");
        }
    }

    @Test
    void i8EscapedSecretIsNotWrittenInLongTexts() {
        var records = TestRecords.withSecrets(RecordSettings.Level.RESULT, List.of("p\"ss/w\u00f6rd-xyzzy"));
        var escaped = "p\\\"ss\\/w\\u00f6rd-xyzzy";
        for (var rows : List.of("", LONG)) {
            var arguments = "{\"note\":\"it is %s, says [1]%s\"}".formatted(escaped, rows);

            var line = Events.line(records.enter(Events.enter(arguments), Events.TIME));

            assertThat(line).doesNotContain("xyzzy").contains("it is ", ", says [1]");
        }
    }

    @Test
    void i8TruncatedSecretOfSeveralWordsIsNotWritten() {
        // Escapes make the text so short that its end is shown.
        var escapes = "\\u0020".repeat(10_900);
        for (int before = 105; before < 135; before++) {
            var arguments = "{\"a\":\"%s%scorrect horse battery%s\"}".formatted(escapes, " ".repeat(before), LONG);

            var line = Events.line(records.enter(Events.enter(arguments), Events.TIME));

            assertThat(line).doesNotContain("correct");
        }
    }

    @Test
    void i8LongTextThatResemblesJsonIsShownAsText() {
        for (var text :
                List.of("[INFO] it began ", "[2026-11-22] it began ", "{name} it began ", "[\"a\"] it began ")) {
            var arguments = "{\"log\":%s}".formatted(JsonStrings.quote(text + "password=hunter2" + LONG));

            assertThat(enter(arguments)).contains("it began").doesNotContain("hunter2");
        }
    }

    @Test
    void i8ValueAssignedToASecretNameInATextIsNotWritten() {
        for (var text : List.of(
                "password=hunter2",
                "password: hunter2",
                "--password hunter2",
                "--password=hunter2",
                "curl -H 'Authorization: Basic hunter2hunter2'",
                "Authorization: Digest user, response=hunter2",
                "Cookie: a=1; session=hunter2",
                "Bearer hunter2hunter2",
                "https://bob:hunter2@example.com/",
                "https://bob:p/hunter2@example.com/",
                "postgres://bob:hunter2@db:5432/x",
                "https://example.com/?a=1&api_key=hunter2&b=2",
                "{'token': 'hunter2'}",
                "{\"token\": \"hunter2\"}",
                "the password 'hunter2' is wrong",
                "TOKEN=\"hunter2\"")) {
            assertThat(everythingWith(text)).as(text).doesNotContain("hunter2");
        }
    }

    @Test
    void i8SecretCommandLineOptionIsNotWritten() {
        assertThat(enter("{\"args\":[\"login\",\"--password\",\"hunter2\",\"bob\"]}"))
                .doesNotContain("hunter2")
                .contains("login", "bob");
    }

    @Test
    void i8ConfiguredKeyPatternsAreSecret() {
        var settings = new RedactionSettings(List.of("X_*_Serial"), true, false, "");
        var records = TestRecords.make(new RecordSettings(RecordSettings.Level.RESULT, Map.of(), settings));

        var body = records.enter(Events.enter("{\"x-house-serial\":\"hunter2\",\"serial\":\"seen\"}"), Events.TIME);

        assertThat(Events.line(body)).doesNotContain("hunter2").contains("seen");
    }

    @Test
    void i8OrdinaryValuesAreWrittenUnchanged() {
        var arguments = "{\"owner\":\"octocat\",\"max_tokens\":4096,\"path\":\"/home/a/b.txt\",\"n\":1.50,"
                + "\"url\":\"http://localhost:3000/users/@me?x=1\",\"text\":\"Basic authentication required\","
                + "\"base64\":\"VGhlIHF1aWNrIGJyb3duIGZveA==\",\"sha\":\"2fd4e1c67a2d28fced849ee1bb76e7391b93eb12\","
                + "\"time\":\"2026-11-22T10:31:32Z\",\"percent\":\"100%25\",\"wide\":\"Grüße 日本 😀\"}";

        var read = Events.read(records.enter(Events.enter(arguments), Events.TIME));

        assertThat(read.text("arguments")).contains(arguments);
    }

    @Test
    void i8SameSecretHasTheSameHash() {
        var one = Events.read(records.enter(Events.enter("{\"password\":\"hunter2\"}"), Events.TIME));
        var other = Events.read(records.exit(Events.failed("password=hunter2"), Events.TIME));

        var hash = TestRecords.KEY.hash().of("hunter2");
        assertThat(one.text("arguments")).contains("{\"password\":\"%s\"}".formatted(hash));
        assertThat(other.text("error")).contains("password=" + hash);
    }

    private String enter(String arguments) {
        return Events.line(records.enter(Events.enter(arguments), Events.TIME));
    }

    /** All records in which a text can stand, at all places. */
    private String everythingWith(String text) {
        var quoted = JsonStrings.quote(text);
        var call = AuditedCallFixture.of("tools/call", "github", text, Events.CLOSED);
        var result = "{\"content\":[{\"type\":\"text\",\"text\":%1$s}],\"structuredContent\":{\"x\":%1$s}}";
        var arguments = "{\"a\":%1$s,\"b\":[1,{\"c\":%2$s}],%1$s:1,\"long\":%3$s}"
                .formatted(
                        quoted,
                        JsonStrings.quote("before " + text + " behind"),
                        JsonStrings.quote("{\"inner\":%s}".formatted(quoted)));
        var lines = new ArrayList<String>();
        lines.add(Events.line(records.enter(Events.enter(call, arguments), Events.TIME)));
        lines.add(Events.line(records.enter(
                new ToolEnter(AuditedCallFixture.by(call, "1", new Principal(text, "token"), text), "[]", "", 0),
                Events.TIME)));
        lines.add(Events.line(records.enter(Events.enter(call, "not JSON: " + text), Events.TIME)));
        lines.add(Events.line(Events.ended(records, Events.answered(result.formatted(quoted)))));
        var longText = JsonStrings.quote(text + LONG);
        var longJson = JsonStrings.quote("{\"inner\":%s,\"rows\":%s}".formatted(quoted, JsonStrings.quote(LONG)));
        lines.add(Events.line(records.enter(Events.enter(call, "{\"a\":%s}".formatted(longText)), Events.TIME)));
        lines.add(Events.line(Events.ended(records, Events.answered(result.formatted(longText)))));
        lines.add(Events.line(Events.ended(records, Events.answered(result.formatted(longJson)))));
        lines.add(Events.line(Events.ended(records, Events.failed("it failed: " + text))));
        var error = Response.error(MessageId.of(1), -32000, text);
        lines.add(Events.line(Events.ended(records, Events.exit(call, Outcome.answered(error)))));
        lines.add(Events.line(records.denied(
                new ToolDenied(AuditedCallFixture.by(call, "1", new Principal(text, "token"), text), text),
                Events.TIME)));
        lines.add(Events.line(records.note(new AuditNote("seen", Map.of("reason", text, text, "1")), Events.TIME)));
        return String.join("\n", lines);
    }

    /** Not in one piece, so that scanners for lost tokens do not report this file. */
    private static String token(String prefix, int length) {
        return prefix + "x7Kd93mQzV2bT5hNc8Lw4pRy".repeat(3).substring(0, length);
    }

    private static List<String> forms(String secret) {
        var bytes = secret.getBytes(UTF_8);
        var behind = ("user:" + secret).getBytes(UTF_8);
        return List.of(
                secret,
                Base64.getEncoder().encodeToString(bytes),
                Base64.getUrlEncoder().withoutPadding().encodeToString(behind),
                HexFormat.of().formatHex(bytes),
                HexFormat.ofDelimiter(":").formatHex(bytes),
                percent(secret),
                URLEncoder.encode("x=" + secret, UTF_8).replace("=", "%3D"));
    }

    private static String percent(String secret) {
        return HexFormat.of()
                .withDelimiter("%")
                .withPrefix("")
                .formatHex(secret.getBytes(UTF_8))
                .transform("%"::concat);
    }

    /** What of a secret must not be seen even without its ends. */
    private static String inner(String secret) {
        return secret.substring(4, secret.length() - 4);
    }
}
