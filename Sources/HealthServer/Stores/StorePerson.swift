/// A person whose store a server can show.
package struct StorePerson: Hashable, Sendable {
    /// The name that was given with `--as`; nil for the store without a name.
    package var name: String?
    /// The path of the store.
    package var path: String

    package init(name: String?, path: String) {
        self.name = name
        self.path = path
    }
}

/// A simulated person's data, which a browser can explore.
package struct SampleData: Sendable {
    /// The path of the store, in a folder of its own.
    package var path: String
    /// Creates the store. It blocks for seconds.
    package var create: @Sendable () throws -> Void
    /// Removes the store with its folder. It blocks.
    package var remove: @Sendable () throws -> Void

    package init(
        path: String, create: @escaping @Sendable () throws -> Void,
        remove: @escaping @Sendable () throws -> Void
    ) {
        self.path = path
        self.create = create
        self.remove = remove
    }
}
