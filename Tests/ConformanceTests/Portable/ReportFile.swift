/// The file to which this process writes the report, after each test.
// Protected by `lock`.
final class ReportFile: @unchecked Sendable {
    static let shared = ReportFile(url: url)

    /// The path in `$OPENHEALTH_CONFORMANCE_REPORT`; otherwise, on a phone, a file in the host
    /// app's documents. Nil if no report is written.
    static var url: URL? {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["OPENHEALTH_CONFORMANCE_REPORT"], !path.isEmpty {
            return URL(fileURLWithPath: path)
        }
        #if os(iOS) || os(watchOS) || os(visionOS)
            return FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first?
                .appendingPathComponent("conformance-report.json")
        #else
            return nil
        #endif
    }

    private let lock = NSLock()
    private let url: URL?
    private var report = ConformanceReport(system: .current, results: [])

    init(url: URL?) { self.url = url }

    /// Adds the result of a test, or of one of its cases, and writes the file.
    ///
    /// - Throws: An error of the file system.
    func add(_ result: ConformanceReport.Result) throws {
        try lock.withLock {
            guard let url else { return }
            if let index = report.results.firstIndex(where: { $0.test == result.test }) {
                report.results[index].add(result)
            } else {
                report.results.append(result)
            }
            try report.json.write(to: url, options: .atomic)
        }
    }
}
