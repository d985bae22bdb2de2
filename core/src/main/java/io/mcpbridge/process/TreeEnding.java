package io.mcpbridge.process;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Ends children and what they started, together: end of input, TERM, KILL, with a pause after each, or only one where
 * they were hung up before.
 *
 * <p>An interrupt shortens the pauses to nothing and is kept for the caller. What is left behind by a child
 * that heeds the end of its input gets TERM at once.
 */
final class TreeEnding {
    private static final Duration AFTER_KILL = Duration.ofSeconds(2);
    private static final long LOOK_EVERY_MILLIS = 3;

    private final List<LaunchedProcess> children;
    private final HolderSearch search;
    private boolean isInterrupted;

    private TreeEnding(Collection<LaunchedProcess> children, HolderSearch search) {
        this.children = List.copyOf(children);
        this.search = search;
    }

    /** Waits until they are gone, for twice the patience and two seconds at the longest. */
    static void end(Collection<LaunchedProcess> children, HolderSearch search, Duration patience) {
        new TreeEnding(children, search).end(patience);
    }

    private void end(Duration patience) {
        children.stream()
                .map(LaunchedProcess::tree)
                .filter(tree -> !tree.isGuarded())
                .forEach(ProcessTree::look);
        children.forEach(LaunchedProcess::closeStdin);
        awaitChildren(rest(patience));
        if (find()) {
            awaitTrees(askToEnd(patience), () -> isGone() || isInterrupted);
        }
        if (find()) {
            children.forEach(child -> child.tree().kill());
            awaitTrees(AFTER_KILL, this::isGone);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns how long they may take; those that had TERM before are not asked twice. */
    private Duration askToEnd(Duration patience) {
        if (children.stream().allMatch(LaunchedProcess::isHungUp)) {
            return rest(patience);
        }
        children.forEach(child -> child.tree().terminate());
        return patience;
    }

    /** Whoever was hung up before has had a part of it. */
    private Duration rest(Duration patience) {
        return children.stream()
                .map(child -> child.rest(patience))
                .max(Comparator.naturalOrder())
                .orElse(patience);
    }

    /** Looks who is there, and whether it is anybody. */
    private boolean find() {
        children.forEach(child -> child.tree().look());
        findHolders();
        return !isGone();
    }

    private void findHolders() {
        var trees = children.stream()
                .filter(LaunchedProcess::mayLeaveOthers)
                .map(LaunchedProcess::tree)
                .toList();
        var pipes = new HashSet<String>();
        trees.forEach(tree -> pipes.addAll(tree.pipes().names()));
        var holders = search.find(pipes);
        trees.forEach(tree -> tree.addHolders(holders));
    }

    private boolean isGone() {
        return children.stream().allMatch(LaunchedProcess::isGone);
    }

    private void awaitChildren(Duration pause) {
        var exits = children.stream().map(child -> child.onExit().toCompletableFuture());
        var all = CompletableFuture.allOf(exits.toArray(CompletableFuture<?>[]::new));
        try {
            all.get(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            isInterrupted = true;
        } catch (TimeoutException | ExecutionException stillThere) {
            // Then the next step is less polite.
        }
    }

    private void awaitTrees(Duration pause, BooleanSupplier enough) {
        var end = System.nanoTime() + pause.toNanos();
        while (!enough.getAsBoolean() && System.nanoTime() - end < 0) {
            try {
                Thread.sleep(LOOK_EVERY_MILLIS);
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
    }
}
