package io.mcpbridge.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/** The rules of the architecture, for a table of modules. */
final class Rules {

    /** Libraries that may change or go without the users of a module noticing. */
    private static final List<String> HIDDEN_LIBRARIES = List.of(
            "reactor.",
            "org.reactivestreams.",
            "io.netty.",
            "com.fasterxml.jackson.",
            "tools.jackson.",
            "com.google.inject.");

    /** What these modules are for is to offer such a library to its users. */
    private static final Set<String> ADAPTERS = Set.of("guice", "sdk");

    /** They point {@code System.out} to standard error while messages or frames need standard output. */
    private static final List<String> KEEP_PRINTS_AWAY =
            List.of("io.mcpbridge.transport.stdio.StandardStreams", "io.mcpbridge.workers.internal.child.WorkerMain");

    private static final String EMPTY_NAMES = ".*(Impl|Manager|Helper|Utils?|Base)";

    private final Modules modules;

    Rules(Modules modules) {
        this.modules = modules;
    }

    ArchRule dependenciesAreAllowed() {
        return classes()
                .that(are("classes of a module", modules::isOurs))
                .should(useOnly("what the table of modules allows", modules::allows));
    }

    ArchRule internalPackagesStayInTheirModule() {
        return classes()
                .should(useOnly(
                        "internal packages of their own module and of those whose friends they are",
                        (user, used) ->
                                !modules.isOurs(used) || !isInternal(used) || modules.allowsInternal(user, used)));
    }

    ArchRule packagesFormNoCycles() {
        return slices().assignedFrom(eachPackage()).should().beFreeOfCycles();
    }

    ArchRule onlyOnePackageOfCoreKnowsJson() {
        return noClasses()
                .that(are("classes of core", it -> modules.nameOf(it).equals("core")))
                .and()
                .resideOutsideOfPackage("..internal.json")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.fasterxml.jackson..");
    }

    ArchRule publicSignaturesHideLibraries() {
        return classes()
                .that(are(
                        "public classes of modules that are not adapters",
                        it -> isVisible(it) && !isInternal(it) && !ADAPTERS.contains(modules.nameOf(it))))
                .should(haveNoHiddenLibraryInSignatures());
    }

    ArchRule onlyCliPrints() {
        return noClasses()
                .that(are(
                        "classes outside cli, save those that keep prints away from the protocol",
                        it -> !modules.nameOf(it).equals("cli")
                                && KEEP_PRINTS_AWAY.stream().noneMatch(it.getName()::startsWith)))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(PrintStream.class)
                .orShould()
                .callMethod(Throwable.class, "printStackTrace");
    }

    /** A print stream and a print writer hide failures: a full disk would look like a record that was written. */
    ArchRule auditReportsFailedWrites() {
        return noClasses()
                .that(are("classes of audit", it -> modules.nameOf(it).equals("audit")))
                .should()
                .dependOnClassesThat()
                .areAssignableTo(PrintStream.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(PrintWriter.class);
    }

    ArchRule namesAreMeaningful() {
        return noClasses().should().haveNameMatching(EMPTY_NAMES).because("such a name says nothing: find the noun");
    }

    ArchRule packagesAreNullMarked() {
        return classes().should(new ArchCondition<>("be in a package with @NullMarked") {
            @Override
            public void check(JavaClass it, ConditionEvents events) {
                if (!it.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(
                            it, it.getPackageName() + " has no package-info.java with @NullMarked"));
                }
            }
        });
    }

    private static boolean isInternal(JavaClass any) {
        return (any.getPackageName() + ".").contains(".internal.");
    }

    /** Whether other modules see a class: it and what it is nested in are public or protected. */
    private static boolean isVisible(JavaClass any) {
        return isVisible(any.getModifiers())
                && any.getEnclosingClass().map(Rules::isVisible).orElse(true);
    }

    private static boolean isVisible(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static DescribedPredicate<JavaClass> are(String description, Predicate<JavaClass> test) {
        return DescribedPredicate.describe(description, test);
    }

    private static SliceAssignment eachPackage() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass it) {
                return SliceIdentifier.of(it.getPackageName());
            }

            @Override
            public String getDescription() {
                return "packages";
            }
        };
    }

    private static ArchCondition<JavaClass> useOnly(String what, BiPredicate<JavaClass, JavaClass> allowed) {
        return new ArchCondition<>("use only " + what) {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                for (Dependency dependency : user.getDirectDependenciesFromSelf()) {
                    if (!allowed.test(user, dependency.getTargetClass().getBaseComponentType())) {
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
                    }
                }
            }
        };
    }

    private static ArchCondition<JavaClass> haveNoHiddenLibraryInSignatures() {
        return new ArchCondition<>("have no type of a hidden library in a signature") {
            @Override
            public void check(JavaClass it, ConditionEvents events) {
                signatureTypes(it)
                        .flatMap(type -> type.getAllInvolvedRawTypes().stream())
                        .filter(type -> HIDDEN_LIBRARIES.stream().anyMatch(type.getName()::startsWith))
                        .distinct()
                        .forEach(type -> events.add(
                                SimpleConditionEvent.violated(it, it.getName() + " shows " + type.getName())));
            }
        };
    }

    private static Stream<JavaType> signatureTypes(JavaClass it) {
        Stream<JavaType> parents = Stream.concat(it.getSuperclass().stream(), it.getInterfaces().stream());
        Stream<JavaType> members = it.getMembers().stream()
                .filter(member -> isVisible(member.getModifiers()))
                .flatMap(member -> typesOf(member).stream());
        return Stream.concat(parents, members);
    }

    private static Collection<? extends JavaType> typesOf(JavaMember member) {
        if (member instanceof JavaField field) {
            return List.of(field.getType());
        }
        var code = (JavaCodeUnit) member;
        Stream<JavaType> parameters = code.getParameterTypes().stream();
        Stream<JavaType> thrown = code.getExceptionTypes().stream().map(type -> type);
        return Stream.of(parameters, thrown, Stream.of(code.getReturnType()))
                .flatMap(types -> types)
                .toList();
    }
}
