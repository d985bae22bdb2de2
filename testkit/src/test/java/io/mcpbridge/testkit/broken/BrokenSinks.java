package io.mcpbridge.testkit.broken;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.ExtendWith;

/** Audit sinks with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenSinks {

    private BrokenSinks() {}

    /** Keeps every promise but the one that a subclass breaks. */
    @ExtendWith(OnlyWhenAsked.class)
    abstract static class Suite extends AuditSinkContract {
        private QueuedAuditSink sink = new QueuedAuditSink();

        @Override
        protected AuditSink open() {
            sink = new QueuedAuditSink() {
                @Override
                void write(String id, Completion durable) {
                    Suite.this.write(this, id, durable);
                }

                @Override
                void store(String id, Completion durable) {
                    Suite.this.store(this, id, durable);
                }

                @Override
                public void close() {
                    super.close();
                    Suite.this.closed();
                }
            };
            return sink;
        }

        @Override
        protected String stored() {
            return String.join("\n", sink.records());
        }

        void write(QueuedAuditSink whole, String id, Completion durable) {
            whole.queue(id, durable);
        }

        void store(QueuedAuditSink whole, String id, Completion durable) {
            whole.keep(id, durable);
        }

        void closed() {}
    }

    /** Says that records are stored and stores none. */
    static final class KeepsNothing extends Suite {
        @Override
        void store(QueuedAuditSink whole, String id, Completion durable) {
            durable.succeeded();
        }
    }

    /** Returns when the record is stored. */
    static final class BlocksItsCaller extends Suite {
        @Override
        void write(QueuedAuditSink whole, String id, Completion durable) {
            var stored = new CompletableFuture<Void>();
            whole.queue(id, new Completion() {
                @Override
                public void succeeded() {
                    stored.complete(null);
                }

                @Override
                public void failed(Throwable why) {
                    stored.completeExceptionally(why);
                }
            });
            stored.handle((done, why) -> why).join();
            durable.succeeded();
        }
    }

    /** Stores each record on the thread of its caller, as a sink does that writes to a file at once. */
    static final class StoresOnTheCallersThread extends Suite {
        @Override
        void write(QueuedAuditSink whole, String id, Completion durable) {
            whole.keep(id, durable);
        }
    }

    /** Completes each record twice. */
    static final class CompletesTwice extends Suite {
        @Override
        void store(QueuedAuditSink whole, String id, Completion durable) {
            durable.succeeded();
            whole.keep(id, durable);
        }
    }

    /** Stores records without a word. */
    static final class NeverCompletes extends Suite {
        @Override
        void write(QueuedAuditSink whole, String id, Completion durable) {
            whole.queue(id, new Completion() {
                @Override
                public void succeeded() {}

                @Override
                public void failed(Throwable why) {}
            });
        }
    }

    /** Throws at a record after its end. */
    static final class ThrowsAfterClose extends Suite {
        private volatile boolean isClosed;

        @Override
        void write(QueuedAuditSink whole, String id, Completion durable) {
            if (isClosed) {
                throw new IllegalStateException("closed");
            }
            whole.queue(id, durable);
        }

        @Override
        void closed() {
            isClosed = true;
        }
    }
}
