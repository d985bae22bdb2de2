package io.mcpbridge.sandbox.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The workers of a {@link WorkerGroup} that are there: those that wait, of which the one is taken that was used last, those
 * that run a call, and those that end. Guarded by its owner's lock.
 */
final class Crew {
    private final PoolThreads threads;
    private final Deque<Worker> idle = new ArrayDeque<>();
    private final Map<Worker, Guard> busy = new HashMap<>();

    /** Those that have their last call behind them, and have a place until they are gone. */
    private int ending;

    Crew(PoolThreads threads) {
        this.threads = threads;
    }

    int idle() {
        return idle.size();
    }

    /** Those that run a call, or end after their last one. */
    int busy() {
        return busy.size() + ending;
    }

    int size() {
        return idle() + busy();
    }

    /** One that waits for a call from now on. */
    void add(Worker worker) {
        idle.push(worker);
    }

    /** One that waited runs a call from now on. */
    Worker begin() {
        var worker = idle.pop();
        busy.put(worker, new Guard(worker, threads));
        return worker;
    }

    /** What ends its call; one that is not known any more was ended when the pool was closed. */
    Guard guard(Worker worker) {
        return busy.getOrDefault(worker, new Guard(worker, threads));
    }

    /** It runs its call no more; whether it was known to do so. */
    boolean finish(Worker worker) {
        return busy.remove(worker) != null;
    }

    /** So many are to end that are counted nowhere else. */
    void ends(int many) {
        ending += many;
    }

    /** One that was to end is not there any more. */
    void gone() {
        ending--;
    }

    /** It has ended by itself; whether it waited. */
    boolean died(Worker worker) {
        return idle.remove(worker);
    }

    /** Those that have ended while they waited are not there. */
    void forgetDead() {
        idle.removeIf(worker -> !worker.isAlive());
    }

    /** Takes out those that wait and are due to end. */
    List<Worker> takeDue(Retirement retirement, int warm) {
        var due = retirement.takeDue(idle, warm);
        ends(due.size());
        return due;
    }

    /** Takes out all that wait. */
    List<Worker> takeIdle() {
        var all = List.copyOf(idle);
        idle.clear();
        return all;
    }

    /** What ends the calls that are run. */
    List<Guard> guards() {
        return List.copyOf(busy.values());
    }
}
