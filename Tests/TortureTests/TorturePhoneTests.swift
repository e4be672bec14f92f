import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

@testable import torture

/// Schedules in which an app's files move to a phone without data while the app is being woken.
@Suite(.inTestAll) struct TorturePhoneTests {
    /// The schedule that seed 2672 was reduced to.
    private static let schedule = SyncSchedule(
        settings: .init(types: [.bodyMass], pageSize: 50, attention: .observing),
        events: [
            .injected(SyncFault(.emptyPhone), at: SyncMoment(.woken)),
            .app(AppAction(.log, number: 12)),
        ])

    @Test("a weight logged while the app moves to another phone is not expected there")
    func movedWhileWoken() async {
        for _ in 0..<5 {
            let outcome = await SyncTorture(launch: MirrorClient.launch).play(Self.schedule)
            #expect(outcome.violations.isEmpty)
            #expect(outcome.hits == [SyncPair(.emptyPhone, after: .woken)])
        }
    }

    @Test("after the move, the app runs on the new phone, and no process on the old one")
    func newPhone() async throws {
        let phones = PhoneList()
        let outcome = await SyncTorture(launch: { CarelessClient($0, phones) }).play(Self.schedule)
        #expect(await phones.ofLogs == [2])
        // The client reports an unsaved sample as saved, so the new phone must be queried.
        #expect(
            outcome.violations == [TortureViolation(.losesNothing, "weight 12 is lost")])
    }
}

/// The phones that clients ran on, identified by their health stores.
private actor PhoneList {
    private var stores: [ObjectIdentifier] = []
    private var kept: [HKHealthStore] = []
    private(set) var ofLogs: [Int] = []

    func launched(on store: HKHealthStore) {
        guard !stores.contains(ObjectIdentifier(store)) else { return }
        stores.append(ObjectIdentifier(store))
        kept.append(store)
    }

    func logged(on store: HKHealthStore) {
        let index = stores.firstIndex(of: ObjectIdentifier(store))
        ofLogs.append((index ?? -1) + 1)
    }
}

/// A client that is woken as soon as it observes, and acknowledges samples that it never saves.
private struct CarelessClient: SyncClient {
    let environment: ClientEnvironment
    let phones: PhoneList

    init(_ environment: ClientEnvironment, _ phones: PhoneList) {
        self.environment = environment
        self.phones = phones
    }

    func start() async {
        await phones.launched(on: environment.store)
        let probe = environment.probe
        Thread.detachNewThread { try? probe.reached(.woken) }
    }

    func log(_ weight: ClientWeight) async throws -> ClientResult {
        await phones.logged(on: environment.store)
        return .acknowledged
    }

    func sync() async throws {}
    func edit(_ id: UUID, to weight: ClientWeight) async throws -> ClientResult { .refused }
    func remove(_ id: UUID) async throws -> ClientResult { .refused }
    func attach(_ note: String, to id: UUID) async throws -> ClientResult { .refused }
    func recover() async throws {}
    func reconcile() async throws {}
    func track(_ type: ScheduledType) async {}
    func untrack(_ type: ScheduledType) async {}
    func entries() async throws -> [ClientEntry] { [] }
    func notes() async throws -> [ClientNote] { [] }
    func losePositions(_ loss: PositionLoss) throws {}
    func end() async {}
}
