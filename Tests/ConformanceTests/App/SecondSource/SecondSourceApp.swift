import HealthKit
import SwiftUI

/// The second source of the experiments: saves its samples at launch and deletes them on request.
/// Not yet run.
@main struct SecondSourceApp: App {
    @State private var status = "Saving"

    var body: some Scene {
        WindowGroup {
            VStack(spacing: 24) {
                Text(status)
                Button("Save the samples again") { save() }
                Button("Delete the samples") {
                    run("Deleted") { try await SecondSource.remove(from: HKHealthStore()) }
                }
            }
            .padding()
            .task { save() }
        }
    }

    private func save() {
        run("Saved") { try await SecondSource.save(to: HKHealthStore()) }
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
