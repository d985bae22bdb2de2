import static jdk.internal.org.objectweb.asm.Opcodes.ACC_FINAL;
import static jdk.internal.org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static jdk.internal.org.objectweb.asm.Opcodes.ACC_STATIC;
import static jdk.internal.org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static jdk.internal.org.objectweb.asm.Opcodes.H_INVOKESTATIC;
import static jdk.internal.org.objectweb.asm.Opcodes.H_NEWINVOKESPECIAL;
import static jdk.internal.org.objectweb.asm.Opcodes.INVOKEINTERFACE;
import static jdk.internal.org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static jdk.internal.org.objectweb.asm.Opcodes.INVOKESTATIC;
import static jdk.internal.org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static jdk.internal.org.objectweb.asm.Opcodes.V11;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import jdk.internal.org.objectweb.asm.ClassReader;
import jdk.internal.org.objectweb.asm.ClassWriter;
import jdk.internal.org.objectweb.asm.Handle;
import jdk.internal.org.objectweb.asm.Type;
import jdk.internal.org.objectweb.asm.commons.GeneratorAdapter;
import jdk.internal.org.objectweb.asm.commons.Method;
import jdk.internal.org.objectweb.asm.tree.ClassNode;
import jdk.internal.org.objectweb.asm.tree.InvokeDynamicInsnNode;
import jdk.internal.org.objectweb.asm.tree.MethodInsnNode;

/**
 * Copies a jar and makes a class of each lambda. A start links some 900 lambdas. For each of them the JVM runs Java code,
 * even if an archive has its class; it loads a class of the jar from the archive without that.
 *
 * <p>The script {@code mcp-bridge} runs this as a source file.
 */
final class LambdaClasses {
    private final Map<String, ClassNode> classes = new TreeMap<>();
    private final List<ClassNode> made = new ArrayList<>();

    public static void main(String[] arguments) throws IOException {
        try (var jar = new JarFile(arguments[0]);
                var copy = new JarOutputStream(Files.newOutputStream(Path.of(arguments[1])))) {
            new LambdaClasses().copy(jar, copy);
        }
    }

    private void copy(JarFile jar, JarOutputStream copy) throws IOException {
        for (var entry : jar.stream().toList()) {
            var content = jar.getInputStream(entry).readAllBytes();
            if (entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF/")) {
                var read = new ClassNode();
                new ClassReader(content).accept(read, 0);
                classes.put(read.name, read);
            } else {
                write(copy, entry.getName(), content);
            }
        }
        classes.values().stream().filter(LambdaClasses::hasNest).forEach(this::replaceLambdas);
        made.addAll(classes.values());
        for (var each : made) {
            var writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            each.accept(writer);
            write(copy, each.name + ".class", writer.toByteArray());
        }
    }

    private static void write(JarOutputStream copy, String name, byte[] content) throws IOException {
        copy.putNextEntry(new JarEntry(name));
        copy.write(content);
    }

    /** Older classes cannot share their private methods with others. */
    private static boolean hasNest(ClassNode owner) {
        return (owner.version & 0xffff) >= V11;
    }

    private void replaceLambdas(ClassNode owner) {
        for (var method : owner.methods) {
            for (var each : method.instructions.toArray()) {
                if (each instanceof InvokeDynamicInsnNode dynamic
                        && dynamic.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory")
                        && dynamic.bsm.getName().equals("metafactory")) {
                    var name = classOf(owner, dynamic);
                    method.instructions.set(each, new MethodInsnNode(INVOKESTATIC, name, "of", dynamic.desc, false));
                }
            }
        }
    }

    /** Makes the class of a lambda, in the nest of its owner, and returns its name. */
    private String classOf(ClassNode owner, InvokeDynamicInsnNode dynamic) {
        var host = owner.nestHostClass == null ? owner : classes.get(owner.nestHostClass);
        var name = "%s$$L%d".formatted(owner.name, made.size());
        host.visitNestMember(name);
        var result = new ClassNode();
        var type = Type.getObjectType(name);
        var implemented = Type.getReturnType(dynamic.desc).getInternalName();
        result.visit(owner.version, ACC_FINAL | ACC_SYNTHETIC, name, null, "java/lang/Object", new String[] {implemented});
        result.visitNestHost(host.name);
        var captured = Type.getArgumentTypes(dynamic.desc);
        for (var i = 0; i < captured.length; i++) {
            result.visitField(ACC_FINAL, "captured" + i, captured[i].getDescriptor(), null, null);
        }
        writeConstructor(result, type, captured);
        writeFactory(result, type, new Method("of", dynamic.desc));
        writeBody(result, type, captured, dynamic);
        made.add(result);
        return name;
    }

    private static void writeConstructor(ClassNode result, Type type, Type[] captured) {
        var code = new GeneratorAdapter(0, constructor(captured), null, null, result);
        code.loadThis();
        code.invokeConstructor(Type.getType(Object.class), constructor());
        for (var i = 0; i < captured.length; i++) {
            code.loadThis();
            code.loadArg(i);
            code.putField(type, "captured" + i, captured[i]);
        }
        code.returnValue();
        code.endMethod();
    }

    /** Writes the method that makes the lambda; one without captured values exists once. */
    private static void writeFactory(ClassNode result, Type type, Method factory) {
        var code = new GeneratorAdapter(ACC_STATIC, factory, null, null, result);
        if (factory.getArgumentTypes().length == 0) {
            result.visitField(ACC_STATIC | ACC_FINAL, "ONCE", type.getDescriptor(), null, null);
            var once = new GeneratorAdapter(ACC_STATIC, new Method("<clinit>", "()V"), null, null, result);
            create(once, type, constructor());
            once.putStatic(type, "ONCE", type);
            once.returnValue();
            once.endMethod();
            code.getStatic(type, "ONCE", type);
        } else {
            create(code, type, constructor(factory.getArgumentTypes()));
        }
        code.returnValue();
        code.endMethod();
    }

    private static void create(GeneratorAdapter code, Type type, Method constructor) {
        code.newInstance(type);
        code.dup();
        code.loadArgs();
        code.invokeConstructor(type, constructor);
    }

    private static Method constructor(Type... parameters) {
        return new Method("<init>", Type.VOID_TYPE, parameters);
    }

    /** Writes the method of the interface, which calls the code of the lambda. */
    private static void writeBody(ClassNode result, Type type, Type[] captured, InvokeDynamicInsnNode dynamic) {
        var method = new Method(dynamic.name, ((Type) dynamic.bsmArgs[0]).getDescriptor());
        var target = (Handle) dynamic.bsmArgs[1];
        var owner = Type.getObjectType(target.getOwner());
        var isNew = target.getTag() == H_NEWINVOKESPECIAL;
        var wanted = new ArrayList<>(List.of(Type.getArgumentTypes(target.getDesc())));
        if (!isNew && target.getTag() != H_INVOKESTATIC) {
            wanted.add(0, owner);
        }
        var code = new GeneratorAdapter(ACC_PUBLIC, method, null, null, result);
        if (isNew) {
            code.newInstance(owner);
            code.dup();
        }
        for (var i = 0; i < captured.length; i++) {
            code.loadThis();
            code.getField(type, "captured" + i, captured[i]);
            convert(code, captured[i], wanted.get(i));
        }
        for (var i = 0; i < method.getArgumentTypes().length; i++) {
            var given = ((Type) dynamic.bsmArgs[2]).getArgumentTypes()[i];
            var becomes = wanted.get(captured.length + i);
            if (given.equals(Type.getType(Character.class)) && isPrimitive(becomes) && becomes != Type.CHAR_TYPE) {
                throw new IllegalStateException("a lambda of " + type + " makes a number of a Character");
            }
            code.loadArg(i);
            convert(code, method.getArgumentTypes()[i], becomes);
        }
        code.visitMethodInsn(
                operation(target), target.getOwner(), target.getName(), target.getDesc(), target.isInterface());
        convert(code, isNew ? owner : Type.getReturnType(target.getDesc()), method.getReturnType());
        code.returnValue();
        code.endMethod();
    }

    private static int operation(Handle target) {
        return switch (target.getTag()) {
            case H_INVOKESTATIC -> INVOKESTATIC;
            case H_NEWINVOKESPECIAL -> INVOKESPECIAL;
            default -> target.isInterface() ? INVOKEINTERFACE : INVOKEVIRTUAL;
        };
    }

    private static void convert(GeneratorAdapter code, Type from, Type to) {
        if (from.equals(to)) {
            return;
        }
        if (to.equals(Type.VOID_TYPE)) {
            if (from.getSize() == 2) {
                code.pop2();
            } else {
                code.pop();
            }
        } else if (isPrimitive(from) && isPrimitive(to)) {
            code.cast(from, to);
        } else if (isPrimitive(from)) {
            code.valueOf(from);
        } else {
            // Casts to the class of the values first.
            code.unbox(to);
        }
    }

    private static boolean isPrimitive(Type type) {
        return type.getSort() < Type.ARRAY;
    }
}
