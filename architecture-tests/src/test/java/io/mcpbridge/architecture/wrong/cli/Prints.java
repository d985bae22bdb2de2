package io.mcpbridge.architecture.wrong.cli;

final class Prints {

    private Prints() {}

    static void rightly() {
        System.out.println("cli may");
    }
}
