import HealthKit
import SwiftUI

/// Hosts the portable conformance tests: requests their permissions at launch, shares the report
/// that they wrote, and deletes what an interrupted test has left. Not yet run.
@main struct HostApp: App {
    @State private var status = "Requesting access"
    @State private var hasReport = false

    var body: some Scene {
        WindowGroup {
            VStack(spacing: 24) {
                Text(status)
                if hasReport, let report = ReportFile.url {
                    ShareLink("Share the report", item: report)
                }
                Button("Delete this app's samples of 2002 and 2003") {
                    run("Deleted") { try await TestDays.emptyAll(of: HKHealthStore()) }
                }
            }
            .padding()
            .task {
                hasReport =
                    ReportFile.url.map {
                        FileManager.default.fileExists(atPath: $0.path)
                    } ?? false
                do {
                    try await HKHealthStore().requestAuthorization(
                        toShare: TestDays.writtenTypes,
                        read: Set<HKObjectType>(TestDays.writtenTypes))
                    status = "Access requested"
                } catch {
                    status = "\(error)"
                }
            }
        }
    }

    private func run(_ success: String, _ action: @escaping () async throws -> Void) {
        Task {
            do {
                try await action()
                status = success
            } catch {
                status = "\(error)"
            }
        }
    }
}
