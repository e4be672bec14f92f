// New anchors in types of the app's own, stored before what came with them.
import HealthKit

struct PageRecord { let id: UUID }

struct FetchedPage {
    let records: [PageRecord]
    let deleted: [UUID]
    let anchor: HKQueryAnchor?
}

struct PageAnchors {
    let defaults: UserDefaults

    subscript(type: HKSampleType) -> HKQueryAnchor? {
        get {
            guard let data = defaults.data(forKey: type.identifier) else { return nil }
            return try? NSKeyedUnarchiver.unarchivedObject(
                ofClass: HKQueryAnchor.self, from: data)
        }
        nonmutating set {
            guard let newValue,
                let data = try? NSKeyedArchiver.archivedData(
                    withRootObject: newValue, requiringSecureCoding: true)
            else { return }
            defaults.set(data, forKey: type.identifier)
        }
    }

    func save(_ anchor: HKQueryAnchor?, for type: HKSampleType) { self[type] = anchor }
}

protocol PageQueue {
    func enqueue(_ records: [PageRecord], deleted: [UUID]) async throws
    func post(_ records: [PageRecord], _ deleted: [UUID], done: @escaping (Error?) -> Void)
}

final class PageCollector {
    let anchors: PageAnchors
    let queue: PageQueue

    init(anchors: PageAnchors, queue: PageQueue) {
        self.anchors = anchors
        self.queue = queue
    }

    func fetch(_ type: HKSampleType, since anchor: HKQueryAnchor?) async throws -> FetchedPage {
        FetchedPage(records: [], deleted: [], anchor: anchor)
    }

    func changes(
        _ type: HKSampleType, done: @escaping (Result<FetchedPage, Error>) -> Void
    ) {
        done(.success(FetchedPage(records: [], deleted: [], anchor: nil)))
    }

    func collect(_ type: HKSampleType) async throws {
        var anchor = anchors[type]
        while true {
            let page = try await fetch(type, since: anchor)
            anchor = page.anchor
            anchors.save(anchor, for: type)  // finds anchor-before-data
            try await queue.enqueue(page.records, deleted: page.deleted)
            if page.records.isEmpty { break }
        }
    }

    func push(_ type: HKSampleType) {
        changes(type) { result in
            switch result {
            case .failure: return
            case .success(let page):
                self.anchors[type] = page.anchor  // finds anchor-before-data
                guard !page.records.isEmpty else { return }
                self.queue.post(page.records, page.deleted) { error in print(error as Any) }
            }
        }
    }
}
