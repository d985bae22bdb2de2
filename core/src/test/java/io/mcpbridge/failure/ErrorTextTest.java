package io.mcpbridge.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorTextTest {

    @ParameterizedTest(name = "{1}")
    @MethodSource
    void failuresOfFilesAndConnectionsAreWords(Exception thrown, String words) {
        assertThat(ErrorText.of(thrown)).isEqualTo(words);
    }

    static Stream<Arguments> failuresOfFilesAndConnectionsAreWords() {
        return Stream.of(
                Arguments.of(new IOException("Is a directory"), "Is a directory"),
                Arguments.of(new NoSuchFileException("/no"), "no such file"),
                Arguments.of(new AccessDeniedException("/root"), "access denied"),
                Arguments.of(
                        new FileSystemException("/full", null, "No space left on device"), "No space left on device"),
                Arguments.of(new MalformedInputException(1), "it is not UTF-8 text"),
                Arguments.of(new ConnectException(), "no connection"),
                Arguments.of(new ClosedChannelException(), "closed channel"),
                Arguments.of(new IllegalStateException(" "), "IllegalStateException"));
    }
}
