package io.mcpbridge.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.tool.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the schemas of tools. */
class ToolSchemaTest {
    private final RecordingTools source = new RecordingTools();

    private AgentTools load(String server) throws InterruptedException {
        return AgentRunner.of(source).loadTools(List.of(server));
    }

    private Json parameters(String schema) throws InterruptedException {
        source.tool("s", "t", schema);
        var tools = load("s").declarations();
        assertThat(tools).hasSize(1);
        return Json.of(tools.get(0).parameters());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"type\":\"object\"}",
                "{\"type\":[\"object\",\"null\"],\"properties\":[]}",
                "{\"type\":\"object\",\"properties\":null,\"required\":\"x\",\"$schema\":\"x\"}",
                "{\"$ref\":\"#\"}",
                "{\"allOf\":[{\"$ref\":\"#\"}],\"required\":[\"gone\"]}"
            })
    void schemaWithoutPropertiesIsAnEmptyObject(String schema) throws InterruptedException {
        assertThat(parameters(schema).text()).isEqualTo("{\"type\":\"object\",\"properties\":{}}");
    }

    @Test
    void recursiveSchemaKeepsItsReferences() throws InterruptedException {
        var node =
                "{\"type\":\"object\",\"properties\":{\"next\":{\"$ref\":\"#/$defs/node\"},\"up\":{\"$ref\":\"#\"}}}";

        var parameters = parameters("{\"$ref\":\"#/$defs/node\",\"$defs\":{\"node\":" + node + "}}");

        assertThat(parameters.text())
                .isEqualTo("{\"$defs\":{\"node\":%s},\"type\":\"object\",\"properties\":%s}"
                        .formatted(node, node.substring(node.indexOf("{\"next"), node.length() - 1)));
    }

    @Test
    void referencesFollowWhatMoves() throws InterruptedException {
        var parameters = parameters("""
                {"$defs":{"d":{}},"properties":{"$a/b":{"type":"string"},"c":{"$ref":"#/properties/$a~1b"},
                "e":{"$ref":"#/$defs/d"}},"anyOf":[{"properties":{"x":{"$ref":"#/properties/$a~1b"},
                "y":{"items":{"$ref":"#/anyOf/0/properties/x"}}}}]}
                """);

        var x = "\"x\":{\"$ref\":\"#/properties/__a_b\"}";
        var y = "\"y\":{\"items\":{\"$ref\":\"#/$defs/_rejected/anyOf/0/properties/x\"}}";
        assertThat(parameters.member("properties").orElseThrow().text())
                .isEqualTo("{\"__a_b\":{\"type\":\"string\"},\"c\":{\"$ref\":\"#/properties/__a_b\"},"
                        + "\"e\":{\"$ref\":\"#/$defs/d\"},%s,%s}".formatted(x, y));
        assertThat(parameters.member("$defs").orElseThrow().text())
                .isEqualTo("{\"d\":{},\"_rejected\":{\"anyOf\":[{\"properties\":{%s,%s}}]}}".formatted(x, y));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "#/$defs/a%20b~1%C3%A4%25",
                "#/$defs/a b~1ä%25",
                "#/$defs/a b~1ä%",
                "#the-anchor",
                "#/$defs/list/0"
            })
    void referenceOfTheRootIsResolved(String reference) throws InterruptedException {
        var target = "{\"$anchor\":\"the-anchor\",\"properties\":{\"x\":{}}}";

        var parameters = parameters(
                "{\"$ref\":\"%s\",\"$defs\":{\"a b/ä%%\":%s,\"list\":[%s]}}".formatted(reference, target, target));

        assertThat(parameters.member("properties").orElseThrow().text()).isEqualTo("{\"x\":{}}");
    }

    @Test
    void referencesFollowAnchorsAndEncodedNames() throws InterruptedException {
        var parameters = parameters("""
                {"properties":{"a b":{"$anchor":"one"},"c":{"$ref":"#one"},"d":{"$ref":"#/properties/a%20b"},
                "e":{"$ref":"#two"},"f":{"$ref":"#none"}},"allOf":[{"properties":{"g":{"$anchor":"two"}}}]}
                """);

        assertThat(parameters.text())
                .isEqualTo("{\"properties\":{\"_a_b\":{},\"c\":{\"$ref\":\"#/properties/_a_b\"},"
                        + "\"d\":{\"$ref\":\"#/properties/_a_b\"},\"e\":{\"$ref\":\"#/$defs/_rejected/allOf/0/properties/g\"},"
                        + "\"f\":{\"$ref\":\"#none\"},\"g\":{}},\"type\":\"object\","
                        + "\"$defs\":{\"_rejected\":{\"allOf\":[{\"properties\":{\"g\":{}}}]}}}");
    }

    @Test
    void topLevelAlternativesBecomePropertiesAndADescription() throws InterruptedException {
        var alternatives = "\"anyOf\":[{\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"]},"
                + "{\"required\":[\"b\"]}]";

        var parameters = parameters("{\"type\":\"object\",\"properties\":{\"b\":{}},\"required\":[\"b\"],"
                + alternatives + ",\"allOf\":[{\"properties\":{\"c\":{}},\"required\":[\"c\"]}]}");

        assertThat(parameters.text())
                .isEqualTo("{\"type\":\"object\",\"properties\":{\"b\":{},\"c\":{},\"a\":{\"type\":\"string\"}},"
                        + "\"required\":[\"b\",\"c\"]}");
        assertThat(load("s").declarations().get(0).description()).contains("must also match", alternatives);
    }

    @Test
    void arrayHasItems() throws InterruptedException {
        var parameters = parameters("{\"properties\":{\"list\":{\"type\":\"array\",\"default\":{\"type\":\"array\"}},"
                + "\"deep\":{\"anyOf\":[{\"type\":\"array\",\"items\":{\"type\":\"array\"}}]}}}");

        assertThat(parameters.member("properties").orElseThrow().text())
                .isEqualTo("{\"list\":{\"type\":\"array\",\"default\":{\"type\":\"array\"},\"items\":{}},"
                        + "\"deep\":{\"anyOf\":[{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{}}}]}}");
    }

    @Test
    void oversizedSchemaIsOmittedAndTheOthersStay() throws InterruptedException {
        source.tool("s", "small").tool("s", "big", "{\"description\":\"%s\"}".formatted("x".repeat(1 << 20)));

        var tools = load("s");

        assertThat(tools.names()).containsExactly("s__small");
        assertThat(tools.leftOut()).containsOnlyKeys("s.big");
        assertThat(tools.leftOut().get("s.big")).contains("1048594 characters but must have at most 100000");
    }
}
