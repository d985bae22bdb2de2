package io.mcpbridge.catalog.schema;

/** What each check may still cost. Any thread; what a check has left belongs to its thread. */
final class Allowances {
    private final ThreadLocal<Allowance> allowances = ThreadLocal.withInitial(Allowance::new);

    /** A check begins on this thread. */
    void begin() {
        allowances.set(new Allowance());
    }

    /** It is over. */
    void end() {
        allowances.remove();
    }

    /** What the check on this thread has left. */
    Allowance current() {
        return allowances.get();
    }

    /** What one check has left; one thread. */
    static final class Allowance {
        private long characters = Budgets.CHARACTERS;
        private long work = Budgets.WORK;

        /** A pattern looks at a character. */
        void lookAtCharacter() {
            if (--characters < 0) {
                throw new TooCostlyException(
                        "its patterns look at more than %,d characters".formatted(Budgets.CHARACTERS));
            }
        }

        /** A rule looks at so many values, names or parts of texts. */
        void work(long amount) {
            work -= amount;
            if (work < 0) {
                throw new TooCostlyException(
                        "its rules look at more than %,d values and parts of texts".formatted(Budgets.WORK));
            }
        }

        /** A rule was broken, so often in all by now. */
        void mistakes(int count) {
            if (count > Budgets.MISTAKES) {
                throw new TooCostlyException("more than %,d of its rules are broken".formatted(Budgets.MISTAKES));
            }
        }

        long workDone() {
            return Budgets.WORK - work;
        }
    }
}
