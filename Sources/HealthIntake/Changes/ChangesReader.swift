import HealthEngine

/// Reads requests of this project's own protocol (Documentation/Protocol.md).
///
/// ```
/// {"kind":"page","version":1,"stream":"4C0D…","from":null,"to":"1-9f0c2d4e"}
/// {"kind":"sample","uuid":"…","type":"HKQuantityTypeIdentifierStepCount",
///  "start":"2026-03-01T08:00:00Z","end":"2026-03-01T08:10:00Z","value":420,"unit":"count",…}
/// {"kind":"deletion","uuid":"…"}
/// ```
/// The first line is the header, and each further line is a record. The header's cursor and the
/// type that is complete are passed on with the last page only, so that a store that has the cursor
/// has all records before it.
struct ChangesReader {
    let request: IntakeRequest

    init(_ request: IntakeRequest) { self.request = request }

    func read(into pages: inout IntakePages) throws {
        var reader = JSONReader(request.body)
        let header = try ChangesHeader(from: &reader)
        pages.cursor = header.cursor
        pages.timeZone = header.timeZone
        if let completion = header.completion { pages.completions = [completion] }
        var memberships = ChangesMemberships()
        while try !reader.isAtEnd() {
            let record = try reader.readValue()
            guard try pages.beginRecord() else { continue }
            memberships.begin(page: pages.pageNumber)
            do throws(UnreadableRecord) {
                switch try ChangesRecord(record) {
                case .sample(let sample, let uuid, let members):
                    let parent = memberships.parent(of: uuid)
                    let place = pages.add(sample, memberOf: parent)
                    for member in memberships.add(uuid, at: place, members) {
                        pages.link(member, memberOf: place)
                    }
                case .deletion(let uuid, let reason): pages.delete(uuid, reason)
                }
            } catch {
                pages.keep(record, error, id: record["uuid"]?.string)
            }
        }
    }
}

extension IntakeRequest {
    /// Reads the header of a request of this project's own protocol, before its records.
    ///
    /// - Returns: The sender's positions.
    /// - Throws: ``IntakeError`` for a body without a valid header.
    package func changesHeader() throws -> ChangesHeader {
        var reader = JSONReader(body)
        return try ChangesHeader(from: &reader)
    }

    /// Checks that a request of this project's own protocol has nothing after its header.
    ///
    /// - Throws: ``IntakeError`` if it has.
    package func requireNoRecords() throws {
        var reader = JSONReader(body)
        _ = try ChangesHeader(from: &reader)
        guard try reader.isAtEnd() else {
            throw IntakeError.notThisDialect(
                expected: "pair of different “from” and “to”, which records need")
        }
    }
}

/// The samples of a page by UUID, to find correlations and workouts of which they are members. A
/// member can come before or after its container.
private struct ChangesMemberships {
    private var page = 0
    private var places: [SampleUUID: Int] = [:]
    private var parents: [SampleUUID: Int] = [:]

    /// Forgets the samples of earlier pages, because places are those of one page.
    mutating func begin(page number: Int) {
        if number != page { self = ChangesMemberships(page: number) }
    }

    /// The place of the first container in the page that has named the sample as a member.
    func parent(of uuid: SampleUUID) -> Int? { parents[uuid] }

    /// Notes a sample. Returns the places of its members that came before it, without those that
    /// are members of another container.
    mutating func add(_ uuid: SampleUUID, at place: Int, _ members: [SampleUUID]) -> [Int] {
        places[uuid] = place
        var found: [Int] = []
        for member in members where member != uuid && parents[member] == nil {
            parents[member] = place
            if let known = places[member] { found.append(known) }
        }
        return found
    }
}
