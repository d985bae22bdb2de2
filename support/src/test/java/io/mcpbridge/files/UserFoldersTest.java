package io.mcpbridge.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserFoldersTest {
    private static final String HOME = "/home/ann";

    @Test
    void variablesNameTheFolders() {
        var variables = Map.of("HOME", HOME, "XDG_CONFIG_HOME", "/c", "XDG_STATE_HOME", "/s", "XDG_RUNTIME_DIR", "/r");

        assertThat(UserFolders.configuration(variables)).hasToString("/c/mcp-bridge");
        assertThat(UserFolders.state(variables)).hasToString("/s/mcp-bridge");
        assertThat(UserFolders.usualState(variables)).hasToString("/home/ann/.local/state/mcp-bridge");
        assertThat(UserFolders.runtime(variables)).hasToString("Optional[/r/mcp-bridge]");
    }

    /** The specification requires that a relative path is ignored. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "relative"})
    void otherValuesAreIgnored(String value) {
        var variables =
                Map.of("HOME", HOME, "XDG_CONFIG_HOME", value, "XDG_STATE_HOME", value, "XDG_RUNTIME_DIR", value);

        assertThat(UserFolders.configuration(variables)).hasToString("/home/ann/.config/mcp-bridge");
        assertThat(UserFolders.state(variables)).hasToString("/home/ann/.local/state/mcp-bridge");
        assertThat(UserFolders.runtime(variables)).isEmpty();
    }

    @Test
    void homeFolderOfTheSystemReplacesAMissingOne() {
        var home = System.getProperty("user.home");

        assertThat(UserFolders.state(Map.of())).hasToString(home + "/.local/state/mcp-bridge");
    }
}
