package io.mcpbridge.cli;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.cli.trail.Trail;
import io.mcpbridge.cli.trail.TrailFilter;
import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Path;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;

/** What of which audit trail is shown, and how: the options that all subcommands have that show one. */
final class ViewOption {

    @Mixin
    private TrailOption trail;

    @Mixin
    private FilterOption filter;

    @Mixin
    private FormOption form;

    /** The trail, which has to hold records and shows its calls below the names of the columns. */
    Trail open(Output output) {
        return open(output, Trail::requireRecords);
    }

    /** The same of a trail whose first record may be still to come. */
    Trail openEmptyToo(Output output) {
        return open(output, unchecked -> {});
    }

    private Trail open(Output output, Consumer<Trail> check) {
        requirePairs();
        var screen = new OutputScreen(output);
        var opened = Trail.at(folder(), form.form(), screen);
        check.accept(opened);
        form.header().ifPresent(screen::show);
        return opened;
    }

    /** Programs get records, each by itself, and no enter tells whether its exit comes. */
    private void requirePairs() {
        if (form.isForPrograms() && filter.isOfOpenCalls()) {
            throw ConfigurationException.of(
                    "'--outcome open' cannot be had with '--json' or '--format', which print records one by one, and"
                            + " no record says that its call is open; leave one of them out");
        }
    }

    TrailFilter filter() {
        return filter.filter();
    }

    Path folder() {
        return trail.folder();
    }

    /** Whether only what happened until a certain moment is wanted. */
    boolean hasEnd() {
        return filter.hasEnd();
    }

    boolean isForPrograms() {
        return form.isForPrograms();
    }

    /** A record for programs. */
    String text(AuditLine record) {
        return form.text(record);
    }
}
