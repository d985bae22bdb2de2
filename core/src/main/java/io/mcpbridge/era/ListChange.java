package io.mcpbridge.era;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;

/** The lists of a server that have a {@code list_changed} notification, in either era. */
public enum ListChange {
    TOOLS("tools", Methods.TOOLS_LIST_CHANGED),
    PROMPTS("prompts", Methods.PROMPTS_LIST_CHANGED),
    RESOURCES("resources", Methods.RESOURCES_LIST_CHANGED);

    private final String capability;
    private final String method;

    ListChange(String capability, String method) {
        this.capability = capability;
        this.method = method;
    }

    /** The capability that a server with this list declares. */
    public String capability() {
        return capability;
    }

    /** Its key in {@code params.notifications} of {@code subscriptions/listen}. */
    public String filterKey() {
        return capability + "ListChanged";
    }

    /** The method of {@link #notification}. */
    public String method() {
        return method;
    }

    /** The notification that a server sends when the list has changed. */
    public Notification notification() {
        return Notification.of(method);
    }

    /** Whether this notification reports a change of the list. */
    public boolean isAnnouncedBy(Notification notification) {
        return method.equals(notification.method());
    }
}
