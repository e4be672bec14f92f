// Collects the changes of one type and hands them to its handler, one page at a time.
import Foundation
import HealthKit
import OSLog

public final class SampleCollector: @unchecked Sendable {
    public enum Failure: Error {
        case interrupted
        case handler(any Error)
    }

    private let store: any HealthStoreProtocol
    private let type: HKSampleType
    private let predicate: NSPredicate?
    private let anchorStorage: AnchorStorage
    private let handler: any ChangeHandler
    private let queue = DispatchQueue(label: "org.example.collector", qos: .utility)
    private let logger = Logger(subsystem: "org.example.collector", category: "collector")
    private let pageSize: Int

    private var observer: HKObserverQuery?
    private var isFetching = false

    public init(
        store: any HealthStoreProtocol, type: HKSampleType, since date: Date,
        anchorStorage: AnchorStorage, handler: any ChangeHandler, pageSize: Int = 500
    ) {
        self.store = store
        self.type = type
        self.anchorStorage = anchorStorage
        self.handler = handler
        self.pageSize = pageSize
        predicate = HKQuery.predicateForSamples(withStart: date, end: nil)
    }

    deinit {
        if let observer {
            store.stop(observer)
        }
    }

    public func start(inBackground: Bool) {
        queue.async { [weak self] in
            guard let self, self.observer == nil else { return }
            let query = HKObserverQuery(sampleType: self.type, predicate: self.predicate) {
                [weak self] query, completion, error in
                guard let self else {
                    completion()
                    return
                }
                if let error {
                    self.logger.error("observer: \(error.localizedDescription, privacy: .public)")
                    completion()
                    return
                }
                self.queue.async {
                    self.fetch { _ in completion() }
                }
            }
            self.observer = query
            self.store.execute(query)
            if inBackground {
                self.store.enableBackgroundDelivery(for: self.type, frequency: .immediate) {
                    [logger = self.logger] success, error in
                    guard !success else { return }
                    logger.error("delivery: \(error?.localizedDescription ?? "", privacy: .public)")
                }
            }
            self.fetch { _ in }
        }
    }

    public func stop() {
        queue.async {
            guard let observer = self.observer else { return }
            self.store.stop(observer)
            self.observer = nil
        }
    }

    private func fetch(completion: @escaping @Sendable (Result<Void, Failure>) -> Void) {
        guard !isFetching else {
            completion(.success(()))
            return
        }
        isFetching = true
        let anchor = anchorStorage.anchor(for: type)
        let query = HKAnchoredObjectQuery(
            type: type, predicate: predicate, anchor: anchor, limit: pageSize
        ) { [weak self] _, samples, deleted, newAnchor, error in
            guard let self else { return completion(.failure(.interrupted)) }
            if let error {
                self.finish(.failure(.handler(error)), completion)
                return
            }
            guard let newAnchor, newAnchor != anchor else {
                self.finish(.success(()), completion)
                return
            }
            let change = Change(added: samples ?? [], deleted: deleted?.map(\.uuid) ?? [])
            Task {
                do {
                    try await self.handler.handle(change, of: self.type)
                    try self.anchorStorage.set(newAnchor, for: self.type)
                    self.queue.async {
                        self.isFetching = false
                        self.fetch(completion: completion)
                    }
                } catch {
                    self.finish(.failure(.handler(error)), completion)
                }
            }
        }
        store.execute(query)
    }

    private func finish(
        _ result: Result<Void, Failure>,
        _ completion: @escaping @Sendable (Result<Void, Failure>) -> Void
    ) {
        queue.async {
            self.isFetching = false
            completion(result)
        }
    }
}
