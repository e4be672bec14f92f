import Foundation
import OpenHealthKit

/// What the diary promises before its first entry, and asks for.
struct WeightPromise {
    private let asked: WeightDiary.Asked

    init(_ asked: WeightDiary.Asked) { self.asked = asked }

    /// Asks once for body mass, read and write, and height, read; shows the promise before.
    func ask(_ store: HKHealthStore) async throws {
        let share: Set<HKSampleType> = [WeightDiary.mass]
        let read: Set<HKObjectType> = [WeightDiary.mass, WeightDiary.height]
        let status = try await store.statusForAuthorizationRequest(toShare: share, read: read)
        guard status == .shouldRequest else { return }
        Message.write(text)
        try await store.requestAuthorization(toShare: share, read: read)
    }

    var text: String {
        let app = WeightDiary.identity.bundleIdentifier
        return """
            Before your first weight, what this diary does:

              - It reads and writes your weight and reads your height. Nothing else.
              - Everything stays on this machine. It has no account and sends nothing.
              - Weights go into your store, where programs see them that you allow to.
                Notes, tags and photos lie in files of their own beside it.
              - Nothing is deleted unless you say remove; and a note outlives its weight.

            You allow that by going on. Take it back at any time:
              openhealth grants revoke \(app) --read bodyMass height --share bodyMass\(asked.options)

            """
    }

    /// The command that lets the diary write again.
    static func sharing(_ options: String) -> String {
        "openhealth grants allow \(WeightDiary.identity.bundleIdentifier) --share bodyMass\(options)"
    }

    /// The command that lets it read again.
    static func reading(_ options: String) -> String {
        "openhealth grants allow \(WeightDiary.identity.bundleIdentifier) --read bodyMass height"
            + options
    }
}
