// Entry of an app that sends health data to a study server.
import HealthKit
import SwiftUI

@main
struct UploaderApp: App {
    @State private var status = UploadStatus()
    private let engine: SyncEngine?

    init() {
        guard HKHealthStore.isHealthDataAvailable() else {
            engine = nil
            return
        }
        let store = HKHealthStore()
        engine = SyncEngine(
            store: store, anchors: KeychainAnchors(service: "org.example.study"),
            server: StudyServer(url: URL(string: "https://study.example.org")!))
    }

    var body: some Scene {
        WindowGroup {
            StatusView(status: status)
                .task {
                    guard let engine else { return }
                    do {
                        try await engine.authorize()
                        try await engine.register()
                        status.lastUpload = await engine.syncAll()
                    } catch {
                        status.failure = error.localizedDescription
                    }
                }
        }
    }
}

@MainActor
@Observable
final class UploadStatus {
    var lastUpload: Date?
    var failure: String?
}

struct StatusView: View {
    let status: UploadStatus

    var body: some View {
        VStack(spacing: 16) {
            if let date = status.lastUpload {
                Text("Last upload \(date, style: .relative) ago")
            }
            if let failure = status.failure {
                Text(failure).foregroundStyle(.secondary)
            }
        }
        .padding()
    }
}
