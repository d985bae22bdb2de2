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
 * Ends children and their descendants together: closes their input, then sends TERM, then KILL, with a pause after each
 * step. Children that were hung up before have fewer pauses.
 *
 * <p>An interrupt skips the pauses before KILL and is kept for the caller. If a child exits at the end of its input,
 * its remaining descendants get TERM at once.
 */
final class TreeTermination {
    private static final Duration AFTER_KILL = Duration.ofSeconds(2);
    private static final long POLL_MILLIS = 3;

    private final List<LaunchedProcess> children;
    private final PipeHolders pipeHolders;
    private boolean isInterrupted;

    private TreeTermination(Collection<LaunchedProcess> children, PipeHolders pipeHolders) {
        this.children = List.copyOf(children);
        this.pipeHolders = pipeHolders;
    }

    /** Ends the children and waits until they have ended: at most twice the time-out plus two seconds. */
    static void end(Collection<LaunchedProcess> children, PipeHolders pipeHolders, Duration timeout) {
        new TreeTermination(children, pipeHolders).end(timeout);
    }

    private void end(Duration timeout) {
        children.stream()
                .map(LaunchedProcess::tree)
                .filter(tree -> !tree.isGuarded())
                .forEach(ProcessTree::update);
        children.forEach(LaunchedProcess::closeStdin);
        awaitChildren(remaining(timeout));
        if (isAnyLeft()) {
            awaitTrees(terminate(timeout), () -> isGone() || isInterrupted);
        }
        if (isAnyLeft()) {
            children.forEach(child -> child.tree().kill());
            awaitTrees(AFTER_KILL, this::isGone);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends TERM, unless all received it before; returns how long they may take to end. */
    private Duration terminate(Duration timeout) {
        if (children.stream().allMatch(LaunchedProcess::isHungUp)) {
            return remaining(timeout);
        }
        children.forEach(child -> child.tree().terminate());
        return timeout;
    }

    /** Returns the longest remaining time; children that were hung up before have used a part of it. */
    private Duration remaining(Duration timeout) {
        return children.stream()
                .map(child -> child.remaining(timeout))
                .max(Comparator.naturalOrder())
                .orElse(timeout);
    }

    /** Updates the trees; returns whether a process is left. */
    private boolean isAnyLeft() {
        children.forEach(child -> child.tree().update());
        addOrphans();
        return !isGone();
    }

    private void addOrphans() {
        var trees = children.stream()
                .filter(LaunchedProcess::mayLeaveOrphans)
                .map(LaunchedProcess::tree)
                .toList();
        var pipes = new HashSet<String>();
        trees.forEach(tree -> pipes.addAll(tree.pipes().names()));
        var holders = pipeHolders.find(pipes);
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
        } catch (TimeoutException | ExecutionException running) {
            // The next step follows.
        }
    }

    private void awaitTrees(Duration pause, BooleanSupplier isEnough) {
        var end = System.nanoTime() + pause.toNanos();
        while (!isEnough.getAsBoolean() && System.nanoTime() - end < 0) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException interrupted) {
                isInterrupted = true;
            }
        }
    }
}
