package io.mcpbridge.engine.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.routing.ResourceOwners.UriTemplate;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A template matches the URIs that may have been made from it. */
class UriTemplateTest {

    @ParameterizedTest(name = "{0} matches {1}")
    @CsvSource(
            delimiter = ' ',
            value = {
                "note://1 note://1",
                "note://{id} note://1",
                "note://{id} note://a%2Fb",
                "note://{a,b} note://1,2",
                "note://{id}/body note://1/body",
                "{scheme}://{host} x://y",
                "file:///{+path} file:///a/b/../c?d",
                "repo://{owner}/{name}{?ref,depth} repo://a/b",
                "repo://{owner}/{name}{?ref,depth} repo://a/b?ref=main&depth=1",
                "repo://x?fixed=1{&more} repo://x?fixed=1&more=2",
                "repo://x{/a,b} repo://x/1/2",
                "repo://x{/a,b} repo://x/1",
                "repo://x{/path*} repo://x/1/2/3",
                "repo://x{#part} repo://x#y/z",
                "repo://x{.ext} repo://x.json",
                "repo://x{;v} repo://x;v=1",
                "a{x}a{y}a abaca",
            })
    void uriMatches(String template, String uri) {
        assertThat(UriTemplate.parse(template).orElseThrow().matches(uri)).isTrue();
    }

    @ParameterizedTest(name = "{0} does not match {1}")
    @CsvSource(
            delimiter = ' ',
            value = {
                "note://1 note://2",
                "note://{id} note://",
                "note://{id} note://a/b",
                "note://{id} note://a?b",
                "note://{id} NOTE://a",
                "note://{id}/body note://1",
                "repo://{owner}/{name}{?ref} repo://a/b/c",
                "repo://x{/a,b} repo://x/1/2/3",
                "repo://x{#part} repo://x/y",
            })
    void uriDoesNotMatch(String template, String uri) {
        assertThat(UriTemplate.parse(template).orElseThrow().matches(uri)).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"note://{id", "note://{}", "x:{a}{b}{", "{"})
    void malformedTemplateIsNotParsed(String text) {
        assertThat(UriTemplate.parse(text)).isEmpty();
    }

    @Test
    void oversizedTemplateIsNotParsed() {
        assertThat(UriTemplate.parse("x:" + "y".repeat(UriTemplate.MAX_LENGTH))).isEmpty();
        assertThat(UriTemplate.parse("x:" + "{+a}".repeat(40))).isEmpty();
    }

    @Test
    void templateProneToBacktrackingIsMatchedInTime() {
        var template = UriTemplate.parse("x:" + "{+a}y".repeat(30) + "z").orElseThrow();
        var uri = "x:" + "y".repeat(60_000);

        var fits = Assertions.assertTimeout(Duration.ofSeconds(5), () -> template.matches(uri));

        assertThat(fits).isFalse();
    }
}
