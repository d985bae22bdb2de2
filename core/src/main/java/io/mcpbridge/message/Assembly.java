package io.mcpbridge.message;

final class Assembly {
    static Assembly request(MessageId id, String method) {
        throw new UnsupportedOperationException();
    }

    static Assembly notification(String method) {
        throw new UnsupportedOperationException();
    }

    static Assembly response(MessageId id) {
        throw new UnsupportedOperationException();
    }

    static Assembly response() {
        throw new UnsupportedOperationException();
    }

    Assembly with(Part part, String raw) {
        return this;
    }

    Assembly error(int code, String message) {
        return this;
    }

    Assembly error(int code, String message, String data) {
        return this;
    }

    Message done() {
        throw new UnsupportedOperationException();
    }
}
