import Foundation
import HealthStorage
import HealthTesting
import Synchronization
import Testing

@testable import HealthPeople

/// Loses the answers to commits.
private final class Losses: TransactionInterceptor {
    enum Loss: Sendable { case none, afterCommit, beforeCommit, always }

    let loss = Mutex(Loss.none)

    func run<Value>(_ mode: SQLTransactionMode, _ body: () throws -> Value) throws -> Value {
        let loss = loss.withLock { $0 }
        if loss == .always { throw SQLError(.connectionLost) }
        guard mode != .readOnly, loss != .none else { return try body() }
        self.loss.withLock { $0 = .none }
        if loss == .afterCommit { _ = try body() }
        throw SQLError(.unknownOutcome)
    }
}

/// Commits of which the node doesn't learn whether they happened.
@Suite struct LostAnswerTests {
    private static func store(
        _ study: Study, _ person: String
    ) async throws -> (PersonStore, Losses) {
        let losses = Losses()
        let log = InterceptedDatabase(study.people.log.database, by: losses)
        let people = try await onThread {
            try People(
                log: log, keys: study.people.keys.database, study.people.log.dialect,
                study.operatorKey)
        }
        let queue = DispatchQueue(label: "test")
        return (
            PersonStore(person, people, folder: study.folder.path + "/lossy", queue), losses
        )
    }

    private static func change(_ store: PersonStore, _ number: Int) async throws -> Int64 {
        let request = PersonChange.Request(device: "phone", key: "k\(number)", bodyHash: [1])
        return try await store.run {
            try store.change(PersonChange(request: request), at: 0) {
                ChangeOutcome(try Study.Node.save(number, into: $0))
            }
        }
    }

    @Test(
        "A change whose commit was confirmed only by a second look is stored and answered",
        arguments: TestedPlace.available)
    func committed(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let (store, losses) = try await Self.store(study, person)
        _ = try await Self.change(store, 1)
        losses.loss.withLock { $0 = .afterCommit }
        #expect(try await Self.change(store, 2) == 2)
        #expect(try await Self.change(store, 3) == 3)
        let node = try study.node("other")
        #expect(try await NodeTests.sequence(node, person) == 3)
    }

    @Test(
        "A change that wasn't committed is refused, and is stored once when it is sent again",
        arguments: TestedPlace.available)
    func lost(_ place: TestedPlace) async throws {
        let study = try await Study(place)
        let person = try await study.person()
        let (store, losses) = try await Self.store(study, person)
        losses.loss.withLock { $0 = .beforeCommit }
        await #expect(throws: PeopleError.notConfirmed) { try await Self.change(store, 1) }
        #expect(try await Self.change(store, 1) == 1)
        let node = try study.node("other")
        #expect(try await NodeTests.sequence(node, person) == 1)
    }

    @Test("While the log can't be reached, changes fail, and the file has nothing of them")
    func unreachable() async throws {
        let study = try await Study(.folder)
        let person = try await study.person()
        let (store, losses) = try await Self.store(study, person)
        _ = try await Self.change(store, 1)
        losses.loss.withLock { $0 = .always }
        await #expect(throws: SQLError.self) { try await Self.change(store, 2) }
        losses.loss.withLock { $0 = .none }
        #expect(try await Self.change(store, 3) == 2)
    }
}
