package io.mcpbridge.cli;

import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.cli.trail.Trail;
import io.mcpbridge.cli.trail.TrailFilter;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;

/** What of which audit trail is shown, and how: the options that all subcommands have that show one. */
final class ViewOption {

    @Mixin
    private TrailOption trail;

    @Mixin
    private FilterOption filter;

    @Mixin
    private FormOption form;

    /** The trail, which shows its calls below the names of the columns. */
    Trail open(Output output) {
        var screen = new OutputScreen(output);
        var opened = Trail.at(folder(), form.form(), screen);
        form.header().ifPresent(screen::show);
        return opened;
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
