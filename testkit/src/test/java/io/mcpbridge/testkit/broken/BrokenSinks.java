package io.mcpbridge.testkit.broken;

import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.testkit.contract.AuditSinkContract;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.ExtendWith;

/** Audit sinks with one broken promise each, under their contract. The build does not run them by themselves. */
final class BrokenSinks {

    private BrokenSinks() {}

    @ExtendWith(OnlyWhenAsked.class)
    abstract static class Suite extends AuditSinkContract {
        private QueuedAuditSink sink = new QueuedAuditSink();

        abstract QueuedAuditSink broken();

        @Override
        protected AuditSink open() {
            sink = broken();
            return sink;
        }

        @Override
        protected String stored() {
            return String.join("\n", sink.records());
        }
    }

    /** Says that records are stored and stores none. */
    static final class KeepsNothing extends Suite {
        @Override
        QueuedAuditSink broken() {
            return new QueuedAuditSink() {
                @Override
                void store(String id, Completion durable) {
                    durable.succeeded();
                }
            };
        }
    }

    /** Returns when the record is stored. */
    static final class BlocksItsCaller extends Suite {
        @Override
        QueuedAuditSink broken() {
            return new QueuedAuditSink() {
                @Override
                void write(String id, Completion durable) {
                    var stored = new CompletableFuture<Void>();
                    super.write(id, new Completion() {
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
            };
        }
    }

    /** Stores each record on the thread of its caller, as a sink does that writes to a file at once. */
    static final class StoresOnTheCallersThread extends Suite {
        @Override
        QueuedAuditSink broken() {
            return new QueuedAuditSink() {
                @Override
                void write(String id, Completion durable) {
                    store(id, durable);
                }
            };
        }
    }

    /** Completes each record twice. */
    static final class CompletesTwice extends Suite {
        @Override
        QueuedAuditSink broken() {
            return new QueuedAuditSink() {
                @Override
                void store(String id, Completion durable) {
                    durable.succeeded();
                    super.store(id, durable);
                }
            };
        }
    }

    /** Stores records without a word. */
    static final class NeverCompletes extends Suite {
        @Override
        QueuedAuditSink broken() {
            return new QueuedAuditSink() {
                @Override
                void write(String id, Completion durable) {
                    super.write(id, new Completion() {
                        @Override
                        public void succeeded() {}

                        @Override
                        public void failed(Throwable why) {}
                    });
                }
            };
        }
    }

    /** Throws at a record after its end. */
    static final class ThrowsAfterClose extends Suite {
        @Override
        QueuedAuditSink broken() {
            return new QueuedAuditSink() {
                private volatile boolean isClosed;

                @Override
                void write(String id, Completion durable) {
                    if (isClosed) {
                        throw new IllegalStateException("closed");
                    }
                    super.write(id, durable);
                }

                @Override
                public void close() {
                    isClosed = true;
                    super.close();
                }
            };
        }
    }
}
