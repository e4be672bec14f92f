import Foundation
import HealthSimulator
import HealthSync

// What destinations were handed, held against what happened.
extension TortureRun {
    func checkDestinations() throws {
        checkOnce()
        try checkOnceOrMore(ledger.changes, "the transactional destination")
        try checkOnceOrMore(recorder.changes, "the plain destination")
    }

    private func checkOnce() {
        // A UUID that was saved again has changed again.
        let savedAgain = schedule.faults.contains(.duplicateUUID)
        var seen: Set<HandedChange> = []
        for change in ledger.changes where !seen.insert(change).inserted && !savedAgain {
            let kind = change.kind == .deleted ? "deletion" : "sample"
            violate(.handsOnce, "a \(kind) of \(change.key.type) came twice")
        }
    }

    private func checkOnceOrMore(_ changes: [HandedChange], _ name: String) throws {
        let faults = Set(schedule.faults)
        let hiding: Set<SyncFault.Kind> = [
            .shareRevoked, .readRevoked, .limitedHistory, .emptyPhone,
        ]
        guard faults.isDisjoint(with: hiding) else { return }
        let added = Set(changes.filter { $0.kind != .deleted }.map(\.uuid))
        let stored = try world.contents()
        for sample in stored where !added.contains(sample.uuid) {
            violate(
                .handsOnceOrMore,
                "\(name) never got \(sample.type.rawValue) \(sample.number)")
        }
        let forgetting: Set<SyncFault.Kind> = [
            .tombstonesPurged, .tombstonesPurgedEarly, .anchorLost, .anchorForeign,
        ]
        guard faults.isDisjoint(with: forgetting) else { return }
        let deleted = Set(changes.filter { $0.kind == .deleted }.map(\.uuid))
        let lost = added.subtracting(stored.map(\.uuid)).subtracting(deleted)
        if !lost.isEmpty { violate(.handsOnceOrMore, "\(name) never got \(lost.count) deletions") }
    }
}
