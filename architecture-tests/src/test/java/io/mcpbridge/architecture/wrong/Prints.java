package io.mcpbridge.architecture.wrong;

final class Prints {

    private Prints() {}

    static void wrongly() {
        System.out.println("only cli may");
    }
}
