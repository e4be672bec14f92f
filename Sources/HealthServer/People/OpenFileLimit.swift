#if People
    import Foundation

    /// The number of files that this process may have open.
    enum OpenFileLimit {
        /// The most stores to have open: 1,000, or fewer if the system permits fewer files. The limit
        /// of the process is raised to the permitted one first.
        ///
        /// Opening a store takes some 30 milliseconds of processor time, more than any request to an
        /// open one. An open store takes two to four megabytes.
        static let stores: Int = {
            var limit = rlimit()
            guard getrlimit(kind, &limit) == 0 else { return 16 }
            limit.rlim_cur = min(limit.rlim_max, 65_536)
            if setrlimit(kind, &limit) != 0 { _ = getrlimit(kind, &limit) }
            return max(4, min(1_000, (Int(clamping: limit.rlim_cur) - 200) / perStore))
        }()

        /// The files of one open person: connections of the pages, the API and the log, each with
        /// its write-ahead log.
        private static let perStore = 14

        #if os(Linux)
            private static let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            private static let kind = RLIMIT_NOFILE
        #endif
    }
#endif
