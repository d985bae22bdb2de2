package io.mcpbridge.architecture.wrong;

import com.google.inject.Injector;
import java.util.List;

public interface ShowsGuice {

    List<Injector> injectors();
}
