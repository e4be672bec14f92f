import HealthServer

/// The options that lead the next command to the same store.
enum StoreOptions {
    /// " --store /x/health.sqlite --as Anna", or nothing where the default will do.
    static func words(_ global: GlobalOptions) -> String {
        (global.store.map { " --store " + ShellWord.quoted($0) } ?? "")
            + (global.as.map { " --as " + ShellWord.quoted($0) } ?? "")
    }
}
