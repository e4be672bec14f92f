import Foundation
import HealthKit

@MainActor
final class Server {

    private let store = HKHealthStore()
    private lazy var tools = HealthTools(store: store)
    private var seen: [UUID] = []

    func respond(to data: Data) async -> String {
        do {
            let call = try JSONDecoder().decode(ToolCall.self, from: data)
            return try await tools.answer(call)
        } catch ToolError.unavailable {
            return "Health isn't available here."
        } catch {
            return "Failed: \(error)"
        }
    }

    /// New workouts pushed to the assistant as they come.
    func pushWorkouts(_ push: @escaping @Sendable (String) -> Void) async throws {
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForSamples(withStart: .now, end: nil))], anchor: nil)
        for try await update in descriptor.results(for: store) {
            for workout in update.addedSamples {
                push("workout \(workout.uuid) of \(Int(workout.duration / 60)) min")
                seen.append(workout.uuid)
            }
            for gone in update.deletedObjects {
                push("workout \(gone.uuid) deleted")
                seen.removeAll { $0 == gone.uuid }
            }
        }
    }
}
