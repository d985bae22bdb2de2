package io.mcpbridge.transport.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellTextTest {

    @ParameterizedTest
    @CsvSource({
        "sh -c text, sh",
        "/bin/bash -lc text, bash",
        "bash -p --norc -c text, bash",
        "bash -o pipefail -c text, bash",
        "bash -euo pipefail -c text, bash",
        "bash -e +xo posix -c text, bash",
        "zsh +e -ic text, zsh",
        "fish --command=text, fish",
        "fish -C text server.fish, fish",
        "fish --init-command=text server.fish, fish",
        "npx -c text, npx",
        "npx -y --package a --call=text, npx",
        "npx --registry https://registry.example --cache /tmp/cache -c text, npx",
        "npm exec a -c text, npm",
        "C:\\Windows\\System32\\CMD.EXE /s /C server&&text, cmd",
        "cmd /c npx -c text, npx",
        "env cmd /c env cmd /c npx -c text, npx",
        "env bash, bash",
        "su nobody -c text, su",
        "script -qc text, script",
        "gosu nobody sh -c text, sh",
        "pwsh -NoLogo, pwsh",
        "timeout 60 env A=1 sh, sh",
        "sudo -n zsh -x, zsh",
        "cmd /q, cmd",
        "bash, bash",
        "sh -s its-argument, sh",
        "bash -xs its-argument, bash",
        "zsh -x --, zsh",
        "pwsh -NoProfile -Command text, pwsh",
        "powershell.exe -enc dGV4dA==, powershell",
        "env A=1 sh -c text, sh",
        "/usr/bin/env -Sbash -c text, bash",
        "timeout 5 nice -n 3 npx -c text, npx",
        "busybox sh -c text, sh",
        "unshare --net -- sh -c text, sh",
        "flock /tmp/lock bash -c text, bash"
    })
    void whatRunsATextIsFound(String line, String runner) {
        assertThat(runner(line)).isEqualTo(runner);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "npx -y @modelcontextprotocol/server-everything",
                "npx some-server -c its-own-option",
                "npx -p a some-server -c its-own-option",
                "npx --loglevel error some-server -c its-own-option",
                "npm exec a -- -c its-own-option",
                "sh server.sh -c its-own-option",
                "bash -x server.sh",
                "bash -C server.sh",
                "bash --posix server.sh",
                "bash -- -c",
                "bash -o noclobber server.sh",
                "bash -euo pipefail server.sh -c its-own-option",
                "node -c its-own-option",
                "uvx server --shell sh -c",
                "env A=1 server -c its-own-option",
                "cmd /c npx -y some-server C:\\Files",
                "env A=1 server --shell bash",
                "env /opt/server bash",
                "pwsh -File server.ps1 -c its-own-option",
                "pwsh -NoLogo server.ps1",
                "shc -c text"
            })
    void otherCommandsAreNot(String line) {
        assertThat(runner(line)).isEmpty();
    }

    @Test
    void aWholeLineForCmdIsAText() {
        assertThat(ShellText.runner("cmd", List.of("/c", "npx some-server"))).contains("cmd");
        assertThat(ShellText.runner("cmd", List.of("/c", "npx", "a server"))).isEmpty();
    }

    private static String runner(String line) {
        var words = List.of(line.split(" "));
        return ShellText.runner(words.get(0), words.subList(1, words.size())).orElse("");
    }
}
