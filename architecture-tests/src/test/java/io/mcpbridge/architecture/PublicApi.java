package io.mcpbridge.architecture;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes down public types with their public and protected members, one a line, in an order of its own. */
final class PublicApi {
    /** Every record and value has them, and they say nothing. */
    private static final Set<String> OF_ALL = Set.of("equals", "hashCode", "toString");

    private static final Set<String> OF_ENUMS = Set.of("values", "valueOf");

    /** What of the modifiers a caller notices. */
    private static final int TOLD = Modifier.PROTECTED | Modifier.ABSTRACT | Modifier.STATIC | Modifier.FINAL;

    private PublicApi() {}

    /** All that others can see of these classes. */
    static String of(Collection<Class<?>> classes) {
        return classes.stream()
                .filter(PublicApi::isVisible)
                .sorted(Comparator.comparing(Class::getName))
                .map(PublicApi::describe)
                .collect(Collectors.joining("\n"));
    }

    private static boolean isVisible(Class<?> type) {
        var outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers())
                && !type.isAnonymousClass()
                && !type.isLocalClass()
                && (outer == null || isVisible(outer));
    }

    private static String describe(Class<?> type) {
        var members = Stream.of(
                        Arrays.stream(type.getDeclaredFields())
                                .filter(PublicApi::isListed)
                                .map(PublicApi::describe),
                        Arrays.stream(type.getDeclaredConstructors())
                                .filter(PublicApi::isListed)
                                .map(PublicApi::describe),
                        Arrays.stream(type.getDeclaredMethods())
                                .filter(PublicApi::isListed)
                                .map(PublicApi::describe))
                .flatMap(each -> each.sorted())
                .map(line -> "    " + line + "\n")
                .collect(Collectors.joining());
        return head(type) + "\n" + members;
    }

    private static boolean isListed(Member member) {
        var isOfEnum = member.getDeclaringClass().isEnum() && OF_ENUMS.contains(member.getName());
        return (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                && !member.isSynthetic()
                && !isOfEnum
                && !OF_ALL.contains(member.getName());
    }

    private static String head(Class<?> type) {
        var parents = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .map(PublicApi::name)
                .filter(name -> !Set.of("Object", "Record").contains(name) && !name.startsWith("Enum<"))
                .collect(Collectors.joining(", "));
        return kind(type) + " " + type.getName() + variables(type.getTypeParameters())
                + (parents.isEmpty() ? "" : " : " + parents);
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "annotation";
        }
        if (type.isEnum()) {
            return "enum";
        }
        if (type.isRecord()) {
            return "record";
        }
        var kind = type.isInterface() ? "interface" : modifiers(type.getModifiers(), TOLD & ~Modifier.STATIC) + "class";
        return type.isSealed() ? "sealed " + kind : kind;
    }

    private static String describe(Field field) {
        return modifiers(field.getModifiers(), TOLD) + name(field.getGenericType()) + " " + field.getName();
    }

    private static String describe(Constructor<?> made) {
        return modifiers(made.getModifiers(), TOLD) + "new" + signature(made);
    }

    private static String describe(Method method) {
        var told = method.getDeclaringClass().isInterface() ? TOLD & ~Modifier.ABSTRACT : TOLD & ~Modifier.FINAL;
        return (method.isDefault() ? "default " : "")
                + modifiers(method.getModifiers(), told)
                + name(method.getGenericReturnType())
                + " "
                + method.getName()
                + signature(method);
    }

    private static String signature(Executable called) {
        var parameters = Arrays.stream(called.getGenericParameterTypes())
                .map(PublicApi::name)
                .collect(Collectors.joining(", "));
        var thrown = Arrays.stream(called.getGenericExceptionTypes())
                .map(PublicApi::name)
                .collect(Collectors.joining(", "));
        return variables(called.getTypeParameters())
                + (called.isVarArgs() ? "(" + parameters.replaceFirst("\\[]$", "...") : "(" + parameters)
                + (thrown.isEmpty() ? ")" : ") throws " + thrown);
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0
                ? ""
                : Arrays.stream(variables).map(PublicApi::variable).collect(Collectors.joining(", ", "<", ">"));
    }

    private static String variable(TypeVariable<?> variable) {
        var bounds = Arrays.stream(variable.getBounds())
                .map(PublicApi::name)
                .filter(bound -> !bound.equals("Object"))
                .collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? variable.getName() : variable.getName() + " extends " + bounds;
    }

    private static String modifiers(int modifiers, int told) {
        var words = Modifier.toString(modifiers & told);
        return words.isEmpty() ? "" : words + " ";
    }

    private static String name(Type type) {
        return Objects.requireNonNull(type.getTypeName()).replaceAll("\\bjava\\.lang\\.(?=[A-Z])", "");
    }
}
