package io.mcpbridge.orphans;

import io.mcpbridge.spi.SandboxLevel;
import java.util.ArrayList;
import java.util.stream.Stream;

/** A program with children, which closes its launcher when it receives TERM, as the daemon does. */
final class ParentProgram {

    private ParentProgram() {}

    /** Takes the run of the marks and the levels; says {@code ready}, and uses up its memory when its input ends. */
    public static void main(String[] arguments) throws Exception {
        var children = new StubbornChildren();
        Runtime.getRuntime().addShutdownHook(new Thread(children::close));
        var levels = Stream.of(arguments).skip(1).map(SandboxLevel::valueOf).toList();
        children.start(levels, Marks.of(arguments[0]));
        System.out.println("ready");
        if (System.in.read() >= 0) {
            return;
        }
        for (var all = new ArrayList<byte[]>(); all.size() < Integer.MAX_VALUE; ) {
            all.add(new byte[1 << 20]);
        }
    }
}
