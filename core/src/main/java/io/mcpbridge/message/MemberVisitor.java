package io.mcpbridge.message;

/** Is shown the members of an object one by one, and passes over their values. */
@FunctionalInterface
interface MemberVisitor {

    /**
     * Takes one member.
     *
     * @param keyStart where the key begins, behind its quote
     * @param keyEnd where the key ends, before its quote
     * @param value where the value begins
     * @return where the value ends
     */
    int member(int keyStart, int keyEnd, int value);
}
