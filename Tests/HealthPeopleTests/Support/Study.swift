import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Synchronization

@testable import HealthPeople

/// Where the people of a test are.
enum TestedPlace: CaseIterable, CustomStringConvertible, Sendable {
    case folder
    case postgreSQL

    /// The places of this run: PostgreSQL only in `make test-all`, and if it is installed.
    static var available: [TestedPlace] {
        TestedDatabase.available.count == 1 ? [.folder] : allCases
    }

    var description: String { self == .folder ? "a folder" : "PostgreSQL" }
}

/// People in a new folder or database, with nodes.
final class Study: Sendable {
    typealias Node = StoreCache<String>

    let folder: TemporaryFolder
    let location: PeopleLocation
    let operatorKey = OperatorKey()
    let people: People
    let places: PeoplePlaces

    convenience init(_ place: TestedPlace) async throws {
        let empty = try await Study.emptyLocation(place)
        try await self.init(at: empty.location, empty.folder)
    }

    init(at location: PeopleLocation, _ folder: TemporaryFolder? = nil) async throws {
        self.folder = try folder ?? TemporaryFolder()
        self.location = location
        let operatorKey = operatorKey
        people = try await onThread { try People.open(location, operatorKey: operatorKey) }
        places = PeoplePlaces(home: people)
    }

    /// Returns a new folder with a place in it, or a new database and a folder for nodes.
    static func emptyLocation(
        _ place: TestedPlace
    ) async throws -> (folder: TemporaryFolder, location: PeopleLocation) {
        let folder = try TemporaryFolder()
        let address =
            place == .folder
            ? folder.path + "/study" : try await place.newAddress(in: folder)
        return (folder, try PeopleLocation(address))
    }

    deinit {
        let places = places
        Thread { places.close() }.start()
    }

    /// Opens the same people again, as another process would.
    func opened() async throws -> People {
        let (location, operatorKey) = (location, operatorKey)
        return try await onThread { try People.open(location, operatorKey: operatorKey) }
    }

    /// Returns 32 hexadecimal digits that weren't used before.
    static func freshName() -> String {
        UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
    }

    func person() async throws -> String {
        try await onThread { [people] in try people.create(named: "Ada", at: 0).person }
    }

    /// Creates a node. Nodes of the same name have the same folder.
    func node(_ name: String = "node", limit: Int = 256) throws -> Node {
        try StoreCache(places, folder: folder.path + "/" + name, limit: limit) { path, _ in path }
    }

    func files(of node: String, _ person: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(
            atPath: "\(folder.path)/\(node)/\(person)")) ?? []).sorted()
    }
}

extension StoreCache {
    /// Saves a sample of steps, as a device's request with a key.
    @discardableResult
    func save(_ number: Int, key: String? = nil, of person: String) async throws -> Int64 {
        let request = PersonChange.Request(
            device: "phone", key: key ?? "k\(number)", bodyHash: [UInt8(truncatingIfNeeded: number)]
        )
        return try await change(person, PersonChange(request: request)) { store in
            ChangeOutcome(try Self.save(number, into: store))
        }
    }

    /// Saves a sample, unless it is stored.
    static func save(_ number: Int, into store: SampleStore) throws -> Int64 {
        let steps = try store.type(named: "stepCount")
        let start = 1000 * Double(number)
        var batch = SampleBatch(samples: [
            Sample(
                type: steps.code, origin: 0, start: start, end: start + 600, created: start,
                value: Double(number))
        ])
        batch.sources = [Source(name: "Walks", bundleIdentifier: "com.example.walks")]
        batch.origins = [Origin(source: 0, version: "1", unit: "count")]
        do {
            try store.save(batch, uuids: [SampleUUID(number: number)], at: start)
        } catch let error as StoreError where error.code == .invalidArgument {
            // The UUID is stored already.
        }
        return try store.lastSequence
    }
}

extension SampleUUID {
    init(number: Int) {
        self.init(high: 0x1234_5678_9abc_4def, low: 0x8000_0000_0000_0000 | UInt64(number))
    }
}
